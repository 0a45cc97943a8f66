"""Which blocks read which results: transfers between blocks in a row, and results that later blocks read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.mapping.solver.unit_mapping import Skips
from engines.workloads.network import Operation


def hand_overs(
    operations: Sequence[Operation], starts: Sequence[int], latency_s: FloatArray, energy_j: FloatArray
) -> tuple[FloatArray, FloatArray, Skips | None]:
    """Return costs of a change of unit after every block but the last, shape `(n - 1) x s`, and what is read later (None: nothing).

    Args:
        operations: operations of the network; those that do not say what they read, read the one before.
        starts: first operation of each of the `n` blocks.
        latency_s: transfer time of the result of every operation, shape `operations x s`.
        energy_j: likewise.
    """
    readers = _readers(operations, starts)
    blocks, settings = len(starts), latency_s.shape[1]
    between_s, between_j = np.zeros((blocks - 1, settings)), np.zeros((blocks - 1, settings))
    later: list[tuple[int, tuple[int, ...], bool, int]] = []
    for source, (block, reading) in sorted(readers.items()):
        if block + 1 in reading:
            between_s[block] += latency_s[source]
            between_j[block] += energy_j[source]
        beyond = tuple(sorted(reading - {block + 1}))
        if beyond:
            later.append((block, beyond, block + 1 in reading, source))
    if not later:
        return between_s, between_j, None
    sources = [source for *_, source in later]
    producers, beyond_of, read_next = (tuple(column) for column in list(zip(*later, strict=True))[:3])
    return between_s, between_j, Skips(producers, beyond_of, read_next, latency_s[sources], energy_j[sources])


def _readers(operations: Sequence[Operation], starts: Sequence[int]) -> dict[int, tuple[int, set[int]]]:
    """Return operation whose result leaves its block -> its block and the blocks that read it."""
    block_of = np.searchsorted(np.asarray(starts), np.arange(len(operations)), side="right") - 1
    found: dict[int, set[int]] = defaultdict(set)
    for number, operation in enumerate(operations):
        for source in operation.sources:
            if block_of[source] != block_of[number]:
                found[source].add(int(block_of[number]))
    return {source: (int(block_of[source]), reading) for source, reading in found.items()}
