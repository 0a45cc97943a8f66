"""Networks are trained the same way every time."""

import numpy as np
import pytest

from engines.methods.mapformer.omniboost.samples import BlockSamples

torch = pytest.importorskip("torch")


def test_it_learns_and_repeats() -> None:
    from engines.methods.mapformer.omniboost.training import trained

    random = np.random.default_rng(0)
    blocks = random.random((128, 2, 32, 10)).astype(np.float32)
    samples = BlockSamples(blocks, np.exp(3 * blocks[:, 0].mean(axis=(1, 2)))[:, None])
    runs = [list(trained(samples, 0, 6, lambda *names: np.random.default_rng(len(names)))) for _ in range(2)]
    losses = [loss for _, loss, _ in runs[0]]
    assert losses[-1] < losses[0] and losses == [loss for _, loss, _ in runs[1]]
    np.testing.assert_array_equal(runs[0][-1][2].told(blocks[:4]), runs[1][-1][2].told(blocks[:4]))
