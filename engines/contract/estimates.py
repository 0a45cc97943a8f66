"""From measured processor time to the range that a plan promises."""

from __future__ import annotations

_LEAST, _MOST = 0.5, 1.5


def around(seconds: float) -> tuple[float, float]:
    """The range of a plan around processor time measured on one core: its ends lie a factor of 3 apart.

    Constants of plans are fitted to runs of the default problems and some of their neighbours; `make bench ARGS=estimates` measures
    the defaults and compares.
    """
    return _LEAST * seconds, _MOST * seconds
