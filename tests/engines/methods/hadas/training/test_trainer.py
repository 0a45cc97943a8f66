"""The backbone and its exits in torch."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from engines.data.digits import digits  # noqa: E402
from engines.data.torch_images import pinned  # noqa: E402
from engines.learning.course import Course  # noqa: E402
from engines.methods.hadas.training.params import TrainExitsParams  # noqa: E402
from engines.methods.hadas.training.shapes import BackboneShape  # noqa: E402
from engines.methods.hadas.training.trainer import Trainer, exit_loss  # noqa: E402
from engines.running.files import MemoryFileStore  # noqa: E402

SHAPE = BackboneShape(1, 8, 10, (4, 8, 16), (1, 2, 2))
PARAMS = TrainExitsParams(blocks=3, width=4, exit_channels=4, epochs=1, exit_epochs=1, batch_size=128)


def numbered() -> Trainer:
    return Trainer(SHAPE, digits(), PARAMS, lambda name, *rest: np.random.default_rng([len(name), *rest]))


def test_the_loss_of_exits_by_hand() -> None:
    outputs = torch.tensor([[[0.0, 0.0], [0.0, 0.0]]])  # one image, one exit, own end: both undecided
    assert exit_loss(outputs, torch.tensor([0])).item() == pytest.approx(np.log(2))  # nothing to distil
    outputs = torch.tensor([[[0.0, 0.0], [np.log(3.0), 0.0]]])
    divergence = 0.75 * np.log(0.75 / 0.5) + 0.25 * np.log(0.25 / 0.5)
    assert exit_loss(outputs, torch.tensor([0])).item() == pytest.approx(np.log(2) + divergence, rel=1e-5)


def test_the_backbone_is_frozen_while_exits_learn_and_a_restored_training_goes_on() -> None:
    with pinned("cpu"):
        first, second = numbered(), numbered()
        course, again = Course(first), Course(second)
        files = MemoryFileStore()
        course.advance()
        before = {name: value.clone() for name, value in first.network.backbone.state_dict().items()}
        again.restore(course.state(files), files)
        exits = first.network.exits[0].convolution.weight.detach().clone()
        course.finish()
        again.finish()
    after = first.network.backbone.state_dict()
    assert all(torch.equal(value, after[name]) for name, value in before.items())
    assert not torch.equal(exits, first.network.exits[0].convolution.weight)
    assert first.state() == second.state()
