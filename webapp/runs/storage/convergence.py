"""The hypervolume of a growing front, step by step.

The reference point comes from the first designs (baselines included), so that all of them count, and is stored with the run. When
a design of the front lies beyond it, it moves: to the worst of the front and a tenth of its span. So it does at the end of the
search. All steps are then measured again from the designs that made the front grow, so that one curve has one reference point
and never falls. The front is of the searched designs that meet every constraint, so that the curve shows what the search did.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import FACTS, Designs, table_from_bytes
from engines.contract.fronts.non_dominated import to_costs
from engines.contract.quantities import Quantity, objectives_of
from engines.running.runner.protocol import DesignChunk
from engines.search.indicators import OnlineFront, reference_point

_POINTS = 60  # of a curve that is measured again: a hypervolume of many objectives takes long


class Convergence(Protocol):
    """A curve whose reference point has moved: that point, and the hypervolume by it."""

    @property
    def reference(self) -> tuple[float, ...] | None:
        """The reference point."""

    def hypervolume_after(self, designs: int) -> float:
        """Return the hypervolume of the first so many designs."""


class ConvergenceTracker:
    """Follows the hypervolume of one run.

    Attributes:
        names: the objectives, in the engine's order.
        reference: one value per objective in its own unit; None until the first finite designs.
        moves: number of moves of the reference point.
    """

    def __init__(self, quantities: Sequence[Quantity], reference: Sequence[float] | None = None) -> None:
        """Track the objectives among `quantities`; `reference` is the stored point of a run that continues."""
        objectives = objectives_of(quantities)
        self.names = tuple(quantity.name for quantity in objectives)
        self._senses = tuple(quantity.sense for quantity in objectives)
        self._deciding = tuple(quantity for quantity in quantities if quantity.role in ("objective", "constraint"))
        self._front: OnlineFront | None = None
        self._count = 0
        # Where the front grew: how many designs there were by then, what came onto the front, and the hypervolume with it.
        self._counts: list[int] = []
        self._grown: list[FloatArray] = []
        self._volumes: list[float] = []
        self.reference: tuple[float, ...] | None = None
        self.moves = 0
        if reference:
            self._fix(tuple(reference))

    @property
    def hypervolume(self) -> float | None:
        """Return the hypervolume of all searched designs, in the product of the objectives' units; None without a reference."""
        return self._front.hypervolume if self._front is not None else None

    def hypervolume_after(self, designs: int) -> float:
        """Return the hypervolume of the first so many designs by the present reference point.

        Designs that arrived together are known together: of a number between, those before it count.
        """
        at = int(np.searchsorted(self._counts, designs, side="right"))
        return self._volumes[at - 1] if at else 0.0

    def add_designs(self, designs: Designs, ends: Sequence[int] = ()) -> None:
        """Take in designs; those with NaN or infinite objectives are left out.

        Args:
            designs: further ones.
            ends: after how many of them one step ended and the next one began, ascending.
        """
        if len(designs):
            self._add(designs, ends)

    def add_chunks(self, chunks: Sequence[DesignChunk]) -> None:
        """Take in the designs of one step, as the child sent them."""
        if not chunks:
            return
        wanted = [quantity.name for quantity in self._deciding]
        tables = [table_from_bytes(chunk.scalars, (*wanted, *FACTS)) for chunk in chunks]
        self._add(Designs.from_scalars(tables, wanted))

    def settle(self) -> None:
        """Move the reference point to that of the front at the end of a search: what the first designs were counts no more."""
        if self._front is not None and len(self._front):
            self._move()

    def _add(self, designs: Designs, ends: Sequence[int] = ()) -> None:
        if not self.names:
            return
        values, counted = designs.matrix(self.names), designs.counted(self._deciding)
        if self._front is None and np.isfinite(values).all(axis=1).any():
            self._fix(tuple(float(value) for value in reference_point(values, self._senses)))
        for start, end in pairwise(sorted({0, *(min(end, len(designs)) for end in ends), len(designs)})):
            self._take(values[start:end][counted[start:end]], end - start)

    def _take(self, points: FloatArray, count: int) -> None:
        self._count += count
        if self._front is None or not self._front.add(points):
            return
        self._counts.append(self._count)
        self._grown.append(self._front.newest)
        self._volumes.append(self._front.hypervolume)
        if not self._within_reference():
            self._move()

    def _within_reference(self) -> bool:
        assert self._front is not None and self.reference is not None
        corner = to_costs(np.array([self.reference]), self._senses)
        return bool((to_costs(self._front.front, self._senses) < corner).all())

    def _move(self) -> None:
        assert self._front is not None
        reference = tuple(float(value) for value in reference_point(self._front.front, self._senses))
        if reference == self.reference:
            return
        self._fix(reference)
        self.moves += 1
        for part in np.array_split(np.arange(len(self._grown)), min(_POINTS, len(self._grown))):
            before = self._front.hypervolume
            self._front.add(np.concatenate([self._grown[at] for at in part]))
            self._volumes[part[0] : part[-1] + 1] = [*[before] * (len(part) - 1), self._front.hypervolume]

    def _fix(self, reference: tuple[float, ...]) -> None:
        self.reference = reference
        self._front = OnlineFront(self._senses, reference)
