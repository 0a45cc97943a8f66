"""Configurations as rows of genes: mapping, clock setting, then of every layer how it is cut, and of every layer what is reused."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from engines.contract.arrays import BoolArray, IntArray
from engines.methods.map_and_conquer.model.scoring import Population
from engines.search.choice_operators import Alleles

_FIRST_LAYER = 2  # genes before it: mapping and setting


@dataclass(frozen=True, eq=False)
class Genome:
    """The meaning of genes.

    Attributes:
        mappings: unit of each stage, shape `k x M`; the first gene is a row of it.
        settings: number of settings; the second gene is the number of one.
        layers: n.
        steps: parts of a layer.
    """

    mappings: IntArray
    settings: int
    layers: int
    steps: int

    @property
    def stages(self) -> int:
        """M."""
        return int(self.mappings.shape[1])

    @cached_property
    def cuts(self) -> IntArray:
        """Every way to give each stage at least one step of a layer, shape `c x M`."""
        inner = combinations(range(1, self.steps), self.stages - 1)
        ends = np.array([(0, *cut, self.steps) for cut in inner], dtype=np.int64)
        return np.diff(ends, axis=1)

    @cached_property
    def reuses(self) -> BoolArray:
        """Every way for stages to hand features of a layer on, shape `2^(M - 1) x M`; the last stage hands nothing on."""
        numbers = np.arange(2 ** (self.stages - 1))
        bits = (numbers[:, None] >> np.arange(self.stages - 1)) & 1
        return np.column_stack([bits.astype(bool), np.zeros(len(numbers), dtype=bool)])

    @cached_property
    def alleles(self) -> Alleles:
        """Return the values that each gene may take."""
        counts = np.array(
            [len(self.mappings), self.settings, *[len(self.cuts)] * self.layers, *[len(self.reuses)] * self.layers],
            dtype=np.int64,
        )
        return Alleles(np.repeat(np.arange(counts.max())[None], len(counts), axis=0), counts)

    @property
    def configurations(self) -> int:
        """How many there are in all."""
        each: int = len(self.cuts) * len(self.reuses)
        return int(len(self.mappings) * self.settings * each**self.layers)

    def population(self, genes: IntArray) -> Population:
        """Return the partitions, mappings and settings that rows of genes encode."""
        cuts, reuses = np.split(genes[:, _FIRST_LAYER:], 2, axis=1)
        return Population(
            units=self.mappings[genes[:, 0]],
            setting=genes[:, 1],
            partition=self.cuts[cuts].transpose(0, 2, 1),
            reuse=self.reuses[reuses].transpose(0, 2, 1),
        )

    def even(self, settings: IntArray) -> IntArray:
        """Return every mapping at the given settings with one cut for all layers, with all features reused and with none."""
        whole = len(self.reuses) - 1
        rows = [
            [mapping, setting, *[cut] * self.layers, *[reuse] * self.layers]
            for setting in settings.tolist()
            for reuse in (whole, 0)
            for cut in range(len(self.cuts))
            for mapping in range(len(self.mappings))
        ]
        return np.array(rows, dtype=np.int64)
