"""Batches that both searches yield to the engine, the position to continue from, and counts of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from engines.methods.package_search.search.scheduling import BestSchedule

SIZE = 8  # packages scheduled together: enough to keep two workers busy, few enough that a stop is noticed soon


@dataclass
class Progress:
    """Counts.

    Attributes:
        evaluations: schedules searched, one per package and goal, baselines included.
        scheduled: packages of the search that were scheduled.
        pruned: packages that a bound ruled out.
        skipped: goals of scheduled packages that could not bring them onto the front.
        beyond_limits, cannot_run: packages left out for the limits, or because the workload cannot run on them.
        dead_ends: packages on which no way through all windows was found.
        states: partial mappings that the searches looked at.
        windows, proven: windows of all schedules, and how many are proven optimal.
    """

    evaluations: int = 0
    scheduled: int = 0
    pruned: int = 0
    skipped: int = 0
    beyond_limits: int = 0
    cannot_run: int = 0
    dead_ends: int = 0
    states: int = 0
    windows: int = 0
    proven: int = 0

    def count(self, founds: Iterable[BestSchedule]) -> None:
        """Take schedules into account."""
        for found in founds:
            self.evaluations += 1
            self.states += found.states
            self.windows += found.windows
            self.proven += found.proven

    def state(self) -> dict[str, int]:
        """Return the progress for a checkpoint."""
        return asdict(self)

    @staticmethod
    def restored(state: Mapping[str, Any]) -> Progress:
        """Restore the progress from a checkpoint."""
        return Progress(**{field.name: int(state[field.name]) for field in fields(Progress)})


@dataclass(frozen=True)
class Batch:
    """Schedules found together.

    Attributes:
        message: what was done, for people.
        founds: the schedules, in a fixed order.
        fraction: share of the search that is done.
        position: what a checkpoint needs besides `Progress` and the stored designs.
        baselines: name of each schedule's package where it is a baseline; empty for what was searched.
    """

    message: str
    founds: tuple[BestSchedule, ...]
    fraction: float
    position: Mapping[str, Any]
    baselines: tuple[str, ...] = ()
