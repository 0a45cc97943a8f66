"""Silence of a run's process, for a supervisor that ends processes that hang."""

from __future__ import annotations

import time
from collections.abc import Callable

# A keeper looks many times a second. More than this between two looks is time in which the keeper itself stood still, as on a
# machine that slept: its child could not speak then, so it counts as this much only.
MOST_BETWEEN_LOOKS_S = 5.0


class HeartbeatTimeout:
    """Seconds without a sign of a process, as far as a person listened.

    Args:
        limit_s: from when on it lasts too long; None for never.
        now: a clock that never goes back, in seconds.
    """

    def __init__(self, limit_s: float | None, now: Callable[[], float] = time.monotonic) -> None:
        self._limit_s = limit_s
        self._now = now
        self._looked = now()
        self._silent_s = 0.0

    def heard(self) -> None:
        """Note a sign of life: a step, a line of the log, a piece of a file."""
        self._silent_s = 0.0
        self._looked = self._now()

    def lasts_too_long(self) -> bool:
        """Return whether the limit is reached; asked at every look."""
        now = self._now()
        self._silent_s += min(now - self._looked, MOST_BETWEEN_LOOKS_S)
        self._looked = now
        return self._limit_s is not None and self._silent_s >= self._limit_s

    @property
    def words(self) -> str:
        """Return the message about a process that this timeout ended."""
        minutes = (self._limit_s or 0.0) / 60
        return (
            f"No sign for {minutes:g} minutes (PARETOSCOPE_RUN_SILENT_MINUTES): the process had stopped or "
            "hung, and was ended."
        )
