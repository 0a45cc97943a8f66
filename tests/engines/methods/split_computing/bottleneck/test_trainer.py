"""Branches, bottlenecks and parts in torch."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from engines.data.digits import digits  # noqa: E402
from engines.data.documents import builtin_data_sets, load_image_data  # noqa: E402
from engines.data.torch_images import pinned  # noqa: E402
from engines.learning.course import Course  # noqa: E402
from engines.methods.split_computing.bottleneck.measuring import scores_of  # noqa: E402
from engines.methods.split_computing.bottleneck.network import BottleneckModule  # noqa: E402
from engines.methods.split_computing.bottleneck.params import TrainBottleneckParams  # noqa: E402
from engines.methods.split_computing.bottleneck.shapes import (  # noqa: E402
    KEEP,
    OPERATORS,
    Bottleneck,
    BranchDesign,
    network_content,
    shape_of,
)
from engines.methods.split_computing.bottleneck.trainer import Trainer, tuning_loss  # noqa: E402
from engines.running.files import MemoryFileStore  # noqa: E402
from engines.workloads.loader import load_network  # noqa: E402

PARAMS = TrainBottleneckParams(blocks=3, width=4, epochs=1, distillation_epochs=3, tuning_epochs=1, batch_size=32)
SHAPE = shape_of(load_image_data(builtin_data_sets()["digits"]), PARAMS)
WIDE, NARROW = Bottleneck(3, 2), Bottleneck(1, 8)


def numbered() -> Trainer:
    return Trainer(
        SHAPE, (WIDE, NARROW), digits(), PARAMS, lambda name, *rest: np.random.default_rng([len(name), *rest])
    )


@pytest.mark.parametrize("bottleneck", [WIDE, NARROW, Bottleneck(2, 4)])
def test_what_is_sent_is_as_large_as_said_and_has_256_levels(bottleneck: Bottleneck) -> None:
    module = BottleneckModule(SHAPE, bottleneck).eval()
    seen = torch.rand(2, 1, SHAPE.height, SHAPE.width)
    sent = module.sent(seen)
    assert sent[0].numel() == SHAPE.sent_bytes(bottleneck)
    assert torch.allclose(sent * 255, torch.round(sent * 255), atol=1e-4)
    assert module(seen).shape[1:] == (SHAPE.widths[0], SHAPE.height, SHAPE.width)


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_document_has_the_weights_of_the_torch_network(operator: str) -> None:
    design = BranchDesign(WIDE, (operator, KEEP))
    branch = numbered().network.assembled(design).branches[0]
    weights = sum(each.numel() for name, each in branch.named_parameters())
    network = load_network(network_content(SHAPE, design, "tiny", "Tiny"))
    assert weights == sum(operation.weight_elements for operation in network.operations)


@pytest.mark.long
def test_parts_learn_against_frozen_branches_and_a_restored_training_goes_on() -> None:
    with pinned("cpu"):
        first, second = numbered(), numbered()
        course, again = Course(first), Course(second)
        files = MemoryFileStore()
        course.advance()
        before = {name: value.clone() for name, value in first.network.branches.state_dict().items()}
        again.restore(course.state(files), files)
        course.finish()
        again.finish()
        losses = course.losses[1:]
        assert first.state() == second.state()
        after = first.network.branches.state_dict()
        assert all(torch.equal(value, after[name]) for name, value in before.items())
        assert losses[2] < losses[1] < losses[0]
        assert all((each > 0).all() for each in first.deviations(first.data.validation))
        design = BranchDesign(WIDE, (KEEP, "halved"))
        outputs = [first.outputs(first.data.test, first.tuned(design)) for _ in range(2)]
    assert np.array_equal(*outputs) and outputs[0].shape == (359, 2, 10)


def test_fusion_and_the_loss_of_tuning_by_hand() -> None:
    outputs = np.log(np.array([[[0.8, 0.2], [0.4, 0.6]], [[0.5, 0.5], [0.1, 0.9]]]))
    scores = scores_of(outputs, np.array([0, 1]))
    assert scores.right.tolist() == [0.5, 0.5, 1.0]
    assert scores.loss[-1] == pytest.approx(-(np.log(0.6) + np.log(0.7)) / 2)
    undecided, sure = torch.zeros(1, 1, 2), torch.tensor([[[np.log(3.0), 0.0]]])
    divergence = 0.75 * np.log(0.75 / 0.5) + 0.25 * np.log(0.25 / 0.5)
    assert tuning_loss(undecided, sure, torch.tensor([0])).item() == pytest.approx(np.log(2) + divergence, rel=1e-5)
