"""Channels of filters that keep different ones, stored densely and found again by offset, counts and differences.

As in goyal-2023 section 4.4.2 and figure 4.7: the pointer into the input starts at the offset, moves on by a difference to the next
channel, and after as many channels as the filter has, the sum is done; the next difference leads to the first of the next filter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class PackedFilters:
    """Filters of which only channels that are not zero are stored.

    Attributes:
        offset: the first channel of the first filter that has one.
        nnz: channels of each filter, shape `filters`.
        diff: from each stored channel to the next, negative where the next filter begins before, shape `max(0, sum(nnz) - 1)`.
        values: their weights, shape `sum(nnz) x height x width`.
    """

    offset: int
    nnz: IntArray
    diff: IntArray
    values: FloatArray


def packed(weights: FloatArray, mask: BoolArray) -> PackedFilters:
    """Return weights `filters x channels x height x width` without the channels removed by the mask, `filters x channels`."""
    filters, channels = np.nonzero(mask)
    nnz = np.bincount(filters, minlength=len(mask)).astype(np.int64)
    offset = int(channels[0]) if len(channels) else 0
    return PackedFilters(offset, nnz, np.diff(channels).astype(np.int64), weights[filters, channels])


def convolved(windows: FloatArray, filters: PackedFilters) -> FloatArray:
    """Return the sums of every filter by the stored channels alone.

    Args:
        windows: the flattened input, shape `channels x (height x width) x positions`.
        filters: with kernels of the same height x width.

    Returns:
        shape `filters x positions`.
    """
    flat = filters.values.reshape(len(filters.values), windows.shape[1])
    found = np.zeros((len(filters.nnz), windows.shape[-1]))
    channel, stored = filters.offset, 0
    for number, count in enumerate(filters.nnz.tolist()):
        for _ in range(count):
            found[number] += (flat[stored][:, None] * windows[channel]).sum(axis=0)
            if stored < len(filters.diff):
                channel += int(filters.diff[stored])
            stored += 1
    return found
