"""The hypervolume of a growing front, step by step.

The reference point is fixed with the first designs (baselines included) and stored with the run: only so does the curve
never fall, and only so does a resumed run continue it. Designs beyond it add nothing. The front is of the
searched designs that meet every constraint, so that the curve shows what the search did.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.designs import FACTS, Designs, table_from_bytes
from engines.contract.quantities import Quantity, objectives_of
from engines.running.runner.protocol import DesignChunk
from engines.search.indicators import OnlineFront, reference_point


class ConvergenceTracker:
    """Follows the hypervolume of one run.

    Attributes:
        names: the objectives, in the engine's order.
        reference: one value per objective in its own unit; None until the first finite designs.
    """

    def __init__(self, quantities: Sequence[Quantity], reference: Sequence[float] | None = None) -> None:
        """Follow the objectives among `quantities`; `reference` as stored, for a run that goes on."""
        objectives = objectives_of(quantities)
        self.names = tuple(quantity.name for quantity in objectives)
        self._senses = tuple(quantity.sense for quantity in objectives)
        self._deciding = tuple(quantity for quantity in quantities if quantity.role in ("objective", "constraint"))
        self._front: OnlineFront | None = None
        self.reference: tuple[float, ...] | None = None
        if reference:
            self._fix(tuple(reference))

    @property
    def hypervolume(self) -> float | None:
        """Of all searched designs so far, in the product of the objectives' units; None without a reference."""
        return self._front.hypervolume if self._front is not None else None

    def add_designs(self, designs: Designs) -> None:
        """Take in designs; those with NaN or infinite objectives are left out."""
        if len(designs):
            self._add(designs)

    def add_chunks(self, chunks: Sequence[DesignChunk]) -> None:
        """Take in the designs of one step, as the child sent them."""
        if not chunks:
            return
        wanted = [quantity.name for quantity in self._deciding]
        tables = [table_from_bytes(chunk.scalars, (*wanted, *FACTS)) for chunk in chunks]
        self._add(Designs.from_scalars(tables, wanted))

    def _add(self, designs: Designs) -> None:
        if not self.names:
            return
        values = designs.matrix(self.names)
        if self._front is None and np.isfinite(values).all(axis=1).any():
            self._fix(tuple(float(value) for value in reference_point(values, self._senses)))
        if self._front is not None:
            self._front.add(values[designs.counted(self._deciding)])

    def _fix(self, reference: tuple[float, ...]) -> None:
        self.reference = reference
        self._front = OnlineFront(self._senses, reference)
