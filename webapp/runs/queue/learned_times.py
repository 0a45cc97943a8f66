"""How long runs compute on this installation: estimates of plans, corrected by how long the last runs took."""

from __future__ import annotations

import math
from statistics import median

from webapp.runs.models import Run

_LAST_RUNS, _LAST_OF_ALL = 20, 5  # those of all engines say how busy the machine is now


def time_factor(engine: str) -> float:
    """Return how many times the middle of their estimates the last runs of an engine took, in the median.

    Without a run of the engine that has ended here it is that of all engines: the machine may be slower, or share its cores. 1
    without any.
    """
    done = Run.objects.filter(status=Run.Status.DONE, computed_s__gt=0).order_by("-pk")
    for runs, count in ((done.filter(engine=engine), _LAST_RUNS), (done, _LAST_OF_ALL)):
        rows = runs.values_list("computed_s", "plan", "imported")[:count]
        said = [
            (took, expected_s(plan.get("time_s", (0.0, 0.0)), 1.0)) for took, plan, imported in rows if not imported
        ]
        factors = [took / expected for took, expected in said if expected > 0]
        if factors:
            return median(factors)
    return 1.0


def expected_s(time_s: tuple[float, float], factor: float) -> float:
    """Return the seconds that a run is likely to compute: the middle of its plan's range, corrected by `time_factor`."""
    low, high = time_s
    return factor * math.sqrt(low * high)
