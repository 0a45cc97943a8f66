"""A device that remembers says what everything computed again says."""

import pytest
import torch

from engines.methods.duet.execution.device import Device, naive, ranked
from tests.engines.methods.duet.execution.cases import inputs, models


@pytest.mark.parametrize(
    ("name", "split", "layers"), [("small", True, 2), ("small", False, 0), ("rm1", True, 2), ("rm5", False, 1)]
)
def test_remembered_and_own_tables_give_what_everything_computed_again_gives(
    name: str, split: bool, layers: int
) -> None:
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model, both = models(name, split, layers)
        dense, history, candidate = inputs(model, 50)
        device = Device(both, dense, history)
        later = dense.clone()
        if split:
            later[:, both.user.static_inputs :] = torch.randn_like(later[:, both.user.static_inputs :])
        got = ranked(both, device.vector(later), candidate)
        assert torch.allclose(got, naive(both, later, history, candidate), rtol=0, atol=1e-6)


def test_a_click_takes_the_place_of_the_oldest_lookup() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(2)
        model, both = models("small", True, 2)
        dense, history, candidate = inputs(model, 5)
        device = Device(both, dense, history)
        clicked = [torch.tensor([[3]]) for _ in history]
        device.update([rows[0, 0] for rows in both.embeddings.rows(clicked)])
        newer = [torch.cat([ids[:, 1:], new], dim=1) for ids, new in zip(history, clicked, strict=True)]
        got = ranked(both, device.vector(dense), candidate)
        assert torch.allclose(got, naive(both, dense, newer, candidate), rtol=0, atol=1e-6)
