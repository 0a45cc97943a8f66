"""Clipping really bounds, and what is sent is the clipped tensor with its noise."""

import numpy as np
import pytest

from engines.methods.privynas.mechanism import noise

torch = pytest.importorskip("torch")


def test_clipping_bounds_every_tensor_and_leaves_small_ones_alone() -> None:
    from engines.methods.privynas.network import clipped, norms_of

    maps = torch.from_numpy(np.random.default_rng(1).normal(0, 3, (40, 4, 3, 3)).astype(np.float32))
    maps[0] *= 0.01
    held = clipped(maps, 2.0)
    assert norms_of(held).max() <= 2.0 * (1 + 1e-6)
    np.testing.assert_array_equal(held[0], maps[0])
    ratio = held[1] / maps[1]
    np.testing.assert_allclose(ratio, float(2.0 / norms_of(maps)[1]), rtol=1e-5)  # scaled, not cut off
    assert not clipped(torch.zeros(2, 1, 1, 1), 2.0).any()


def test_what_is_sent_is_clipped_first_and_then_noisy() -> None:
    from engines.methods.privynas.network import clipped, protected

    maps = torch.full((3, 2, 2, 2), 5.0)
    drawn = noise(np.random.default_rng(4), (3, 2, 2, 2))
    sent = protected(maps, 1.0, 0.25, lambda shape: noise(np.random.default_rng(4), shape))
    np.testing.assert_allclose(sent.numpy(), clipped(maps, 1.0).numpy() + 0.25 * drawn, rtol=1e-6)
