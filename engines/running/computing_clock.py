"""How long a run has computed, and how long it may: the clock of the driver and, over all attempts, of what keeps the run."""

from __future__ import annotations

import time
from collections.abc import Callable


class ComputingClock:
    """Seconds since an engine was first asked for a step; those in which its steps are stored belong to them, the queue does not.

    Args:
        limit_s: largest number of seconds; None for no limit.
        before_s: seconds of earlier attempts, which count as well.
        now: a clock that never goes back, in seconds.
    """

    def __init__(
        self, limit_s: float | None = None, before_s: float = 0.0, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit_s = limit_s
        self._before_s = before_s
        self._now = now
        self._began: float | None = None
        self._least_s = 0.0

    def begin(self) -> None:
        """Count from now on; from the first call on where there are several."""
        self._began = self._now() if self._began is None else self._began

    @property
    def used_s(self) -> float:
        """Seconds of computing until now."""
        now_s = 0.0 if self._began is None else self._now() - self._began
        return max(self._before_s + now_s, self._least_s)

    @property
    def left_s(self) -> float | None:
        """Seconds left of the limit, at least 0; None without one."""
        return None if self._limit_s is None else max(0.0, self._limit_s - self.used_s)

    def is_over(self, grace_s: float = 0.0) -> bool:
        """Return whether the limit was reached, `grace_s` ago or longer."""
        return self._limit_s is not None and self.used_s >= self._limit_s + grace_s

    def reach(self) -> bool:
        """Take over from another clock that the limit is reached. Return whether there is a limit."""
        if self._limit_s is not None:
            self._least_s = self._limit_s
        return self._limit_s is not None
