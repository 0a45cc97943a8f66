"""How long a run has computed, all attempts together, and how long it may."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engines.time_limits import seconds_of

if TYPE_CHECKING:
    from webapp.runs.models import Run


class ComputingTime:
    """The keeper's own clock of a run. It counts from the child's first word on, and what earlier attempts used; not the queue.

    Args:
        run: as it is when an attempt begins.
    """

    def __init__(self, run: Run) -> None:
        self._before_s = run.computed_s
        self._limit_s = seconds_of(run.stop_after_minutes)
        self._began: float | None = None
        self._least_s = 0.0

    def begin(self) -> None:
        """The child computes from now on."""
        self._began = time.monotonic()

    @property
    def used_s(self) -> float:
        """Seconds of computing until now."""
        now_s = 0.0 if self._began is None else time.monotonic() - self._began
        return max(self._before_s + now_s, self._least_s)

    @property
    def left_s(self) -> float | None:
        """Seconds left of the time limit, at least 0; None without one."""
        return None if self._limit_s is None else max(0.0, self._limit_s - self.used_s)

    def exceeded_by(self, grace_s: float) -> bool:
        """Whether the limit has been over for `grace_s`."""
        return self._limit_s is not None and self.used_s >= self._limit_s + grace_s

    def reach(self) -> bool:
        """The child says that it is out of time: whether that can be. Then its clock, the engine's own, is believed."""
        if self._limit_s is not None:
            self._least_s = self._limit_s
        return self._limit_s is not None
