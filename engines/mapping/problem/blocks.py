"""Parts of a network that are mapped as a whole: blocks of operators with a common name prefix, or single layers."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from engines.contract.errors import ProblemError
from engines.cost.soc.operations import OperationTable
from engines.mapping.problem.options import Granularity

# A block with more operations than a tenth of the network, and than so many, is split by the next part of the names.
_SHARE = 10
_FEW = 8

_NUMBERED = re.compile(r" \(\d+\)$")

Blocks = tuple[tuple[str, ...], tuple[int, ...]]


def blocks_of(operations: OperationTable, granularity: Granularity) -> Blocks:
    """Return the names of blocks, and the first operation of each; the first block begins at 0.

    Operations that cost nothing by themselves (folded, reshapes) belong to the block before.

    Raises:
        ProblemError: no operation of the network runs.
    """
    if not operations.runs.any():
        raise ProblemError("inputs.workload", 0, "a network with at least one operation that runs")
    if granularity == "layers":
        starts = np.flatnonzero(operations.runs).tolist()
        return _told_apart([operations.names[start] for start in starts]), (0, *starts[1:])
    labels = _labels(operations.names)
    starts = _starts(labels)
    working = [bool(operations.runs[begin:end].any()) for begin, end in pairwise((*starts, len(labels)))]
    kept = [start for start, works in zip(starts, working, strict=True) if works]
    return _told_apart([labels[start] for start in kept]), (0, *kept[1:])


def common_name(block: str) -> str:
    """Return the name shared by blocks with one prefix that are separated in the order: "Mixed_6b" of "Mixed_6b (2)"."""
    return _NUMBERED.sub("", block)


def _told_apart(labels: list[str]) -> tuple[str, ...]:
    """Return the names, those that come again with their number: branches split a block in several parts."""
    counts: dict[str, int] = {}
    names = []
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
        names.append(label if counts[label] == 1 else f"{label} ({counts[label]})")
    return tuple(names)


def _labels(names: tuple[str, ...]) -> list[str]:
    """Return the beginnings of names, as many parts of each as it takes for blocks to be small."""
    parts = [name.partition(":")[0].split(".") for name in names]  # after a colon stands what an operation is
    depth = np.ones(len(names), dtype=np.int64)
    most = max(_FEW, len(names) // _SHARE)
    while True:
        labels = [".".join(part[:count]) for part, count in zip(parts, depth.tolist(), strict=True)]
        deeper = [
            (begin, end)
            for begin, end in pairwise((*_starts(labels), len(labels)))
            if end - begin > most and any(len(parts[row]) > depth[row] for row in range(begin, end))
        ]
        if not deeper:
            return labels
        for begin, end in deeper:
            depth[begin:end] += 1


def _starts(labels: list[str]) -> list[int]:
    return [row for row, label in enumerate(labels) if row == 0 or label != labels[row - 1]]
