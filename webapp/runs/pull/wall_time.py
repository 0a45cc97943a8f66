"""Wall times as clusters write them, and when a worker with one drains."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from engines.contract.errors import ProblemError

SHORTEST_S = 60.0
# Engines store a checkpoint at least once a minute of work.
DRAIN_S, DRAIN_SHARE = 90.0, 0.25
MARGIN_S = 5.0
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_CLOCK = re.compile(r"(?:(\d+)-)?(\d+):(\d\d)(?::(\d\d))?")


def seconds_of(name: str, text: str) -> float:
    """Return a duration in seconds: "90m", "2h", and Slurm's "1:30:00", "2-00:00:00" and "30:00" (minutes and seconds).

    Raises:
        ProblemError: it is none; `name` is the field.
    """
    if match := re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", text.strip().lower()):
        return float(match[1]) * _UNITS[match[2]]
    if match := _CLOCK.fullmatch(text.strip()):
        days, first, second, third = (int(part or 0) for part in match.groups())
        if match[4] is None and match[1] is None:
            return 60.0 * first + second
        return 86400.0 * days + 3600.0 * first + 60.0 * second + third
    raise ProblemError(name, text, "a duration such as 90m, 2h, 2:00:00 or 1-12:00:00")


@dataclass(frozen=True)
class WallTime:
    """The time that a worker has.

    Attributes:
        seconds: from the beginning to the end, when the cluster kills it.
        now: a clock that never goes back, in seconds.

    Raises:
        ProblemError: it is too short to drain within.
    """

    seconds: float
    now: Callable[[], float] = time.monotonic
    began: float = field(init=False)

    def __post_init__(self) -> None:
        if self.seconds < SHORTEST_S:
            raise ProblemError(
                "--wall-time",
                f"{self.seconds:g}s",
                f"at least {SHORTEST_S:g}s",
                reason="A worker executes one step and stores its checkpoint.",
            )
        object.__setattr__(self, "began", self.now())

    @property
    def left_s(self) -> float:
        """Seconds left."""
        return self.began + self.seconds - self.now()

    def drains(self) -> bool:
        """Return whether runs are to be released after their next checkpoint, and none taken."""
        return self.left_s <= MARGIN_S + min(DRAIN_S, DRAIN_SHARE * self.seconds)

    def is_over(self) -> bool:
        """Return whether runs are to be released at once."""
        return self.left_s <= MARGIN_S
