"""The range of run times that a plan shows, from processor time measured on one core."""

from __future__ import annotations

_LEAST, _MOST = 0.5, 1.5


def around(seconds: float, least: float = _LEAST) -> tuple[float, float]:
    """Return (low, high) in seconds around measured processor time; by default `high` is 3 × `low`.

    Args:
        seconds: processor time on one core.
        least: share of them at the lower end, less than half where a device may take the work over.

    Constants of plans are fitted to runs of the default problems and some of their neighbours; `make bench ARGS=estimates` measures
    the defaults and compares.
    """
    return least * seconds, _MOST * seconds
