"""Managers without a search: everything on the GPU at each of its clocks, and random mappings (karatzas-2024 Figure 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.methods.mapformer.managers.manager import Manager, Round

_PIECE = 2000


class WholeGpuManager(Manager):
    """One round."""

    @property
    def rounds(self) -> int:
        """All clocks at once."""
        return 1

    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Return the round of mappings to the GPU, the highest clock first."""
        space, gpu = self.task.space, self.task.units_of("gpu")[0]
        count = int(space.counts[gpu])
        steps = np.zeros((count, space.units), dtype=np.int64)
        steps[:, gpu] = np.arange(count, 0, -1)
        return self.tried(space.whole(np.full((count, space.networks), gpu), steps))


class RandomManager(Manager):
    """Manager that draws as many mappings as there are evaluations."""

    @property
    def rounds(self) -> int:
        """Return the number of rounds of two thousand draws each."""
        return -(-self.task.evaluations // _PIECE)

    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Draw."""
        count = min(_PIECE, self.task.evaluations - number * _PIECE)
        return self.tried(self.task.space.drawn(self.task.random("random", number), count))
