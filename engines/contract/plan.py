"""The plan of a run: its cost, checks and bounds, known before it starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engines.contract.results import Note

Determinism = Literal["exact", "pinned"]


def warnings_of(notes: Iterable[Note]) -> tuple[str, ...]:
    """Return the texts of the notes with level "warning", which a plan shows before the run."""
    return tuple(note.text for note in notes if note.level == "warning")


@dataclass(frozen=True)
class PlanCheck:
    """One line of "Will it fit?": a condition of the problem, whether it holds, and its numbers with units.

    Attributes:
        ok: whether the condition holds.
        text: the condition in words.
        hopeless: True if the failed condition rules out every design; pages show it first.
    """

    ok: bool
    text: str
    hopeless: bool = False


@dataclass(frozen=True)
class Bound:
    """A value that no design can pass, known before the run starts.

    Attributes:
        column: the bounded column: an upper bound if it is maximised, else a lower bound. None for a value without a column,
            which pages state but do not draw.
        title: the bounded metric in words.
        value: the bound, in `unit`.
        unit: SI unit symbol, as of a `Quantity`.
        reached: whether some design is known to have the value.
    """

    column: str | None
    title: str
    value: float
    unit: str
    reached: bool = False


@dataclass(frozen=True)
class Plan:
    """The plan of a run: what it takes and whether it can succeed. Making it takes tens of milliseconds.

    Attributes:
        evaluations: upper bound of the number of evaluated designs.
        memory_mb: peak resident memory of the child process.
        time_s: (low, high) estimate of the run time in seconds on one core.
        needs: some of "torch", "gpu", "data"; only a worker that has them takes the run.
        determinism: "exact" if equal seeds give equal results; "pinned" if only on the same kind of device.
        checks: lines of "Will it fit?".
        bounds: values that no design can pass.
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
