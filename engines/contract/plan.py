"""The plan of a run, and what is known before anything runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engines.contract.results import Note

Determinism = Literal["exact", "pinned"]


def warnings_of(notes: Iterable[Note]) -> tuple[str, ...]:
    """Return the texts of those notes that warn: what a plan says of a run's notes beforehand."""
    return tuple(note.text for note in notes if note.level == "warning")


@dataclass(frozen=True)
class PlanCheck:
    """One line of "Will it fit?": a fact about the problem, met or not, in words with numbers and units.

    Attributes:
        hopeless: no design can be found, as the plan knows already; pages say that before everything else.
    """

    ok: bool
    text: str
    hopeless: bool = False


@dataclass(frozen=True)
class Bound:
    """A value that is known before anything runs.

    Attributes:
        column: the quantity that no design passes it in: none has more where that is maximised, else none has less. None where
            the value bounds no column; it is told, and no line is drawn.
        title: what is bounded, in words.
        value: in `unit`.
        unit: as of a quantity.
        reached: whether some design is known to have the value.
    """

    column: str | None
    title: str
    value: float
    unit: str
    reached: bool = False


@dataclass(frozen=True)
class Plan:
    """The plan of a run. Cheap to make: tens of milliseconds.

    Attributes:
        evaluations: designs that will be evaluated (upper bound).
        memory_mb: peak resident memory of the child process.
        time_s: (low, high) estimate of the run time in seconds on one core.
        needs: out of "torch", "gpu", "data"; a worker without them leaves the run alone.
        determinism: "exact" or "pinned".
        checks: facts for "Will it fit?".
        bounds: what is known before anything runs.
        notes: warnings for the user, one sentence each.
    """

    evaluations: int
    memory_mb: float
    time_s: tuple[float, float]
    needs: frozenset[str] = frozenset()
    determinism: Determinism = "exact"
    checks: tuple[PlanCheck, ...] = ()
    bounds: tuple[Bound, ...] = ()
    notes: tuple[str, ...] = ()
