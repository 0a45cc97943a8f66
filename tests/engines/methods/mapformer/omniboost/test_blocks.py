"""Mappings as tensors, by hand."""

import numpy as np

from engines.methods.mapformer.omniboost.blocks import BLOCKS, MOST_NETWORKS, blocks_of
from tests.engines.simulation.boards import board, mapping, network, unit


def test_times_of_blocks_stand_where_they_run() -> None:
    """64 layers of 10 and 20 us: two layers to a block, the first 16 on the first unit."""
    units = [unit("cpu"), unit("gpu"), unit("dla")]
    one = board(units, network("a", [[1e-5, 2e-5, 5e-5]] * 64), network("b", [[3e-5, 3e-5, 3e-5]] * 2))
    found = blocks_of(one, mapping([[16, 64], [2, 2]], [[0, 1], [2, 2]], [1, 1, 1]), np.array([0, 1]))
    assert found.shape == (1, 2, BLOCKS, MOST_NETWORKS)
    np.testing.assert_allclose(found[0, 0, :8, 0], np.log1p(2.0), rtol=1e-6)
    np.testing.assert_allclose(found[0, 1, 8:, 0], np.log1p(4.0), rtol=1e-6)
    assert not found[0, 0, 8:, 0].any() and not found[0, 1, :8, 0].any()
    assert not found[..., 1:].any()  # the second runs on a unit that is not told of, others are not there
