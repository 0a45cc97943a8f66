"""The space of backbones: points of the AttentiveNAS space as rows of numbers (odema-2024 Table 2.1).

A row has a gene for the input's resolution, for each of nine widths, and for depth, kernel and expansion of each of seven
stages: the place of the value among those that the space allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.errors import DecisionError
from engines.workloads.errors import WorkloadError
from engines.workloads.families.attentive_nas import (
    FIRST_WIDTHS,
    KERNELS,
    LAST_WIDTHS,
    RESOLUTIONS,
    STAGES,
    AttentiveSubnet,
)

CHOICES: tuple[tuple[int, ...], ...] = (
    RESOLUTIONS,
    FIRST_WIDTHS,
    *(stage.widths for stage in STAGES),
    LAST_WIDTHS,
    *(stage.depths for stage in STAGES),
    *(KERNELS for _ in STAGES),
    *(stage.expansions for stage in STAGES),
)
COUNTS = np.array([len(choices) for choices in CHOICES], dtype=np.int64)
SPACE_SIZE = prod(COUNTS.tolist())
_KEYS = ("resolution", "width", "depth", "kernel_size", "expand_ratio")
# Published networks of the space that are compared with: configs/eval_attentive_nas_models.yml at c4c16f1.
BASELINES: Mapping[str, AttentiveSubnet] = {
    "a0": AttentiveSubnet(
        192, (16, 16, 24, 32, 64, 112, 192, 216, 1792), (1, 3, 3, 3, 3, 3, 1), (3,) * 7, (1, 4, 4, 4, 4, 6, 6)
    ),
    "a1": AttentiveSubnet(
        224, (16, 16, 24, 32, 64, 112, 192, 216, 1984), (1, 3, 3, 3, 3, 3, 1), (3, 3, 3, 5, 3, 5, 3), (1, 4, 4, 4, 4, 6, 6)
    ),
    "a2": AttentiveSubnet(
        224, (16, 16, 24, 32, 64, 112, 200, 224, 1984), (1, 3, 3, 3, 3, 4, 1), (3, 3, 3, 3, 3, 5, 3), (1, 4, 5, 4, 4, 6, 6)
    ),
    "a3": AttentiveSubnet(
        224, (16, 16, 24, 32, 64, 112, 208, 224, 1984), (2, 3, 3, 4, 3, 5, 1), (3, 3, 3, 5, 3, 3, 3), (1, 4, 4, 4, 4, 6, 6)
    ),
    "a4": AttentiveSubnet(
        256, (16, 16, 24, 32, 64, 112, 192, 216, 1984), (1, 3, 3, 4, 3, 5, 1), (3, 3, 3, 5, 3, 5, 3), (1, 4, 4, 5, 4, 6, 6)
    ),
    "a5": AttentiveSubnet(
        256, (16, 16, 24, 32, 72, 112, 192, 216, 1792), (1, 3, 3, 3, 4, 6, 1), (3, 3, 3, 5, 3, 3, 3), (1, 4, 5, 4, 4, 6, 6)
    ),
    "a6": AttentiveSubnet(
        288, (16, 16, 24, 32, 64, 112, 216, 224, 1984), (1, 3, 3, 4, 4, 6, 1), (3, 3, 3, 3, 3, 5, 3), (1, 4, 6, 5, 4, 6, 6)
    ),
}  # fmt: skip


def decode(genes: IntArray) -> AttentiveSubnet:
    """Return the backbone of a row."""
    values = [choices[at] for choices, at in zip(CHOICES, genes.tolist(), strict=True)]
    ends = np.cumsum([1, len(STAGES) + 2, len(STAGES), len(STAGES), len(STAGES)]).tolist()
    lists = [tuple(values[begin:end]) for begin, end in pairwise(ends)]
    return AttentiveSubnet(values[0], *lists)


def as_decision(subnet: AttentiveSubnet) -> dict[str, Any]:
    """Return a backbone in the keys of the configuration file."""
    return {"resolution": subnet.resolution, **{key: list(getattr(subnet, key)) for key in _KEYS[1:]}}


def from_decision(given: Any) -> AttentiveSubnet:
    """Return the backbone of a decision.

    Raises:
        DecisionError: it lacks a key, or is no point of the space: names the key and what it accepts.
    """
    if not isinstance(given, Mapping) or set(given) != set(_KEYS):
        raise DecisionError("decision.backbone", given, f"a mapping with {', '.join(_KEYS)}")
    for key in _KEYS[1:]:
        if not isinstance(given[key], list | tuple) or not all(isinstance(value, int) for value in given[key]):
            raise DecisionError(f"decision.backbone.{key}", given[key], "a list of whole numbers")
    subnet = AttentiveSubnet(given["resolution"], *(tuple(given[key]) for key in _KEYS[1:]))
    try:
        subnet.check()
    except WorkloadError as error:
        raise DecisionError.of(error, f"decision.backbone.{error.field}") from error
    return subnet


class BackboneOperators:
    """The outer search's operators: half of the children by crossover, half by mutation, none that was scored before.

    Args:
        counts: choices of each gene.
        mutation: probability that a gene is drawn again.
        crossover: probability that a gene comes from the other parent.

    Attributes:
        seen: rows that were scored, as tuples.
    """

    def __init__(self, counts: IntArray, mutation: float, crossover: float) -> None:
        self.seen: set[tuple[int, ...]] = set()
        self._counts = counts
        self._mutation, self._crossover = mutation, crossover

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        """Return up to `count` different rows."""
        return self._new(random.integers(self._counts, size=(count, len(self._counts))))

    def children(self, parents: IntArray, random: np.random.Generator, count: int) -> IntArray:
        """Return up to `count` new rows; duplicates are left out, so that there may be fewer."""
        crossed, mutated = count // 2, (count + 1) // 2
        pair = parents[random.integers(len(parents), size=(2, crossed))]
        swapped = np.where(random.random(pair[0].shape) < self._crossover / 2, pair[1], pair[0])
        own = parents[random.integers(len(parents), size=mutated)]
        drawn = random.integers(self._counts, size=own.shape)
        changed = np.where(random.random(own.shape) < self._mutation, drawn, own)
        return self._new(np.concatenate([swapped, changed]))

    def survivors(self, parents: IntArray | None, children: IntArray) -> IntArray:
        """Return the children: they were selected by their designs, and no parent stays next to them."""
        return children

    def _new(self, rows: IntArray) -> IntArray:
        _, first = np.unique(rows, axis=0, return_index=True)
        kept = [row for row in rows[np.sort(first)] if tuple(row.tolist()) not in self.seen]
        return np.array(kept, dtype=np.int64).reshape(-1, len(self._counts))
