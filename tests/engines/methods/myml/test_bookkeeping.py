"""Offset, counts and differences: figure 4.7 of goyal-2023, and the dense product."""

import numpy as np

from engines.methods.myml.bookkeeping import convolved, packed


def test_the_pointers_of_the_published_example() -> None:
    # Two filters of six channels: the first keeps channels 1 and 4, the second 2 alone: +3, then -2.
    mask = np.zeros((2, 6), dtype=bool)
    mask[0, [1, 4]] = mask[1, 2] = True
    found = packed(np.ones((2, 6, 3, 3)), mask)
    assert (found.offset, found.nnz.tolist(), found.diff.tolist()) == (1, [2, 1], [3, -2])
    assert found.values.shape == (3, 3, 3)


def test_sums_over_stored_channels_are_those_of_dense_filters_with_zeros() -> None:
    random = np.random.default_rng(0)
    for share in (0.0, 0.1, 0.5, 1.0):
        weights, windows = random.standard_normal((7, 5, 3, 3)), random.standard_normal((5, 9, 11))
        mask = random.random((7, 5)) < share
        mask[2] = False  # a filter without any channel
        dense = np.tensordot((weights * mask[:, :, None, None]).reshape(7, 45), windows.reshape(45, 11), axes=1)
        np.testing.assert_allclose(convolved(windows, packed(weights, mask)), dense, atol=1e-12)
