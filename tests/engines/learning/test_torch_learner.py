"""A network of torch under training."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from engines.contract.errors import CheckpointError  # noqa: E402
from engines.learning.course import Course  # noqa: E402
from engines.learning.torch_learner import (  # noqa: E402
    TorchLearner,
    batches_of,
    outputs_of,
    packed_state,
    restore_weights,
    set_rate,
)
from engines.running.files import MemoryFileStore  # noqa: E402


def stream(*names: str | int) -> np.random.Generator:
    return np.random.default_rng([each if isinstance(each, int) else len(each) for each in names])


class Line(TorchLearner):
    """y = 2 x - 1 in two phases: the second has an optimiser of its own."""

    def __init__(self) -> None:
        torch.manual_seed(3)
        self.x = torch.linspace(-1, 1, 32)[:, None]
        super().__init__(torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.BatchNorm1d(1)), 4, phases=(2,))

    def new_optimizer(self, epoch: int) -> torch.optim.Adam:
        return torch.optim.Adam(self.network.parameters(), lr=0.1)

    def progress(self, epoch: int, share: float) -> float:
        return (epoch + share) / 4

    def batches(self, epoch: int) -> Any:
        return batches_of(stream, epoch, 32, 8)

    def loss(self, batch: Any, epoch: int) -> torch.Tensor:
        return (self.network(self.x[batch]) - 2 * self.x[batch] + 1).square().mean()


@pytest.mark.parametrize("batches", [1, 4, 6, 8, 11])
def test_a_stop_between_any_two_batches_changes_nothing(batches: int) -> None:
    whole, begun, again = (Course(Line()) for _ in range(3))
    whole.finish()
    made, files = 0, MemoryFileStore()
    while made < batches:
        begun.advance(pause_s=-1.0)
        made += 1
    again.restore(begun.state(files), files)
    again.finish()
    assert again.learner.state() == whole.learner.state()
    assert again.losses == whole.losses
    assert whole.losses[-1] < whole.losses[0]


def test_weights_of_another_network_are_refused() -> None:
    state = packed_state(torch.nn.Linear(2, 2))
    with pytest.raises(CheckpointError, match="do not fit"):
        restore_weights(torch.nn.Linear(3, 2), state)
    with pytest.raises(CheckpointError, match="do not fit"):
        restore_weights(torch.nn.Linear(2, 2), b"no file")


def test_an_epoch_is_whole_batches_of_all_rows() -> None:
    found = batches_of(stream, 0, 10, 3)
    assert [len(each) for each in found] == [3, 3, 3]
    assert len(set(np.concatenate(found).tolist())) == 9
    assert [len(each) for each in batches_of(stream, 0, 2, 3)] == [2]


def test_the_rate_falls_along_a_cosine() -> None:
    optimizer = torch.optim.Adam([torch.zeros(1, requires_grad=True)], lr=1.0)
    rates = []
    for share in (0.0, 0.5, 1.0):
        set_rate(optimizer, 0.8, share)
        rates.append(optimizer.param_groups[0]["lr"])
    assert rates == pytest.approx([0.8, 0.4, 0.0])


def test_outputs_come_in_the_order_of_their_batches() -> None:
    network = torch.nn.Dropout(0.9)  # does nothing in mode `eval`
    found = outputs_of(network, torch.arange(6.0).split(4))
    assert found.tolist() == [0, 1, 2, 3, 4, 5] and found.dtype == np.float64
