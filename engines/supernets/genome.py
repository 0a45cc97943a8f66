"""Architectures as rows of numbers, for searches."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import IntArray
from engines.supernets.space import SUPERBLOCKS, Architecture, SupernetSpace


class Genome:
    """Architectures as four numbers, each the place of a superblock among the choices of its place."""

    def __init__(self, space: SupernetSpace) -> None:
        self.space = space
        self._choices = [space.choices(place) for place in range(SUPERBLOCKS)]
        self._places = [{choice: at for at, choice in enumerate(choices)} for choices in self._choices]
        self.counts = np.array([len(choices) for choices in self._choices], dtype=np.int64)

    def encode(self, architecture: Architecture) -> IntArray:
        """Return the genes, shape `4`."""
        return np.array([places[choice] for places, choice in zip(self._places, architecture, strict=True)], np.int64)

    def decode(self, genes: IntArray) -> Architecture:
        """Return the architecture of four numbers, shape `4`."""
        return tuple(choices[at] for choices, at in zip(self._choices, genes.tolist(), strict=True))

    def codes(self, genes: IntArray) -> IntArray:
        """Return one number per row of `genes` (`k x 4`), shape `k`; different where architectures are."""
        codes = np.zeros(len(genes), dtype=np.int64)
        for column, count in zip(genes.T, self.counts.tolist(), strict=True):
            codes = codes * count + column
        return codes

    def random(self, generator: np.random.Generator, count: int) -> IntArray:
        """Return the rows whose choices are uniform and independent, as the paper's encoding has them; shape `count x 4`."""
        rows = [self.encode(self.space.random(generator)) for _ in range(count)]
        return np.array(rows, dtype=np.int64).reshape(count, SUPERBLOCKS)
