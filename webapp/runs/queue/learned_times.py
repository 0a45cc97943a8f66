"""How long runs compute on this installation: estimates of plans, corrected by how long the last runs took."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import timedelta
from statistics import median

from django.utils import timezone

from webapp.runs.models import Run

# Runs that are read, those of an engine that count, and those of all engines that say how busy the machine is now.
_READ, _LAST_RUNS, _LAST_OF_ALL = 200, 20, 5
_NOW = timedelta(hours=1)
# A run of milliseconds takes as long as its start: without this, its factor would be that of the start, for long runs too.
START_S = 0.2


def time_factor(engine: str) -> float:
    """Return the median ratio of compute time to estimate of an engine's last runs, at the present load of the machine.

    The load is how many times their engine's usual time the last runs of all engines took within the last hour. Without a run of
    the engine that has ended here the factor is the median over the last runs of all engines. 1 without any.
    """
    done = Run.objects.filter(status=Run.Status.DONE, computed_s__gt=0).order_by("-pk")
    factors = defaultdict(list)
    recent = []
    rows = done.values_list("engine", "computed_s", "plan__time_s", "finished", "imported")[:_READ]
    for name, took, time_s, finished, imported in rows:
        if imported or not time_s:
            continue
        factor = took / expected_s(tuple(time_s), 1.0)
        factors[name].append(factor)
        recent.append((name, factor, finished))
    if not recent:
        return 1.0
    if engine not in factors:
        return median(factor for _, factor, _ in recent[:_LAST_OF_ALL])
    usual = {name: median(last[:_LAST_RUNS]) for name, last in factors.items()}
    since = timezone.now() - _NOW
    load = [factor / usual[name] for name, factor, finished in recent[:_LAST_OF_ALL] if finished and finished > since]
    return usual[engine] * (median(load) if load else 1.0)


def expected_s(time_s: tuple[float, float], factor: float) -> float:
    """Return the seconds that a run is likely to compute: start and middle of its plan's range, corrected by `time_factor`."""
    low, high = time_s
    return factor * (START_S + math.sqrt(low * high))
