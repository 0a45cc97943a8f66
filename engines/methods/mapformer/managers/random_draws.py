"""Random mappings and clocks: the floor, and what Figure 1 of karatzas-2024 draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.methods.mapformer.managers.manager import Manager, Round

_PIECE = 2000


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
