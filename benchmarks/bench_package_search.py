"""Package search: all 3 x 3 dataflow layouts for scenario 4, on two processes; time, states, packages ruled out, peak memory."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.report import Figure, median_ms, show
from engines.contract.results import Table
from engines.exploration import Exploration, explore
from engines.methods.package_search.packages.candidate import candidate_of
from engines.methods.package_search.search.scheduling import ScheduleProblem, bound_package
from engines.running.inspection import plan as plan_of

HARDWARE, WORKLOAD = "simba-3x3-het-sides", "mlperf-scenario-4"
WORKERS = 2
ONE_GOAL = {"minimise_latency": False, "minimise_energy": False}


def processor_seconds() -> float:
    """Return the processor seconds of this process and of all children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def run(params: Mapping[str, Any]) -> tuple[float, float, Exploration]:
    """Return the seconds of a run, start of the processes included, their processor time, and what was found."""
    begin, begin_processor = time.perf_counter(), processor_seconds()
    found = explore("package-search", hardware=HARDWARE, workload=WORKLOAD, params=params, seed=1, workers=WORKERS)
    return time.perf_counter() - begin, processor_seconds() - begin_processor, found


def counts(found: Exploration) -> dict[str, float]:
    """Return the table of the search."""
    table = found.results["search"]
    assert isinstance(table, Table)
    what, values = (column.values for column in table.table_columns)
    return {str(name): float(value) for name, value in zip(what, np.asarray(values), strict=True)}


def peak_mb() -> float:
    """Return the peak resident memory of this process and of the largest of its children, times their number, in MB."""
    own, largest = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return (own + WORKERS * largest) * 1024 / 1e6


def figures(name: str, params: Mapping[str, Any], limit_s: float) -> list[Figure]:
    """Return one run of all layouts."""
    seconds, processor_s, found = run(params)
    told = counts(found)
    windows = told["Windows searched"]
    return [
        Figure(f"{name}, {WORKERS} processes", seconds, "s", limit_s),
        Figure(f"{name}, processor time", processor_s, "s"),
        Figure(f"{name}, layouts up to symmetry of {told['Packages, symmetric ones counted apart']:.0f}",
               told["Packages up to symmetry"], "packages"),
        Figure(f"{name}, ruled out by bounds", told["Ruled out by bounds"], "packages"),
        Figure(f"{name}, scheduled", told["Scheduled"], "packages"),
        Figure(f"{name}, schedules that bounds left out", told["Schedules left out: could not reach the front"], "schedules"),
        Figure(f"{name}, states", told["Partial mappings evaluated"], "states"),
        Figure(f"{name}, windows proven optimal", told["of them proven optimal"], "windows", windows, True),
        Figure(f"{name}, least EDP", found.best("edp_js").values["edp_js"], "J·s"),
    ]  # fmt: skip


def main() -> int:
    """Measure and print."""
    problem = run({"evaluations": 10})[2].problem
    setting = ScheduleProblem(problem.values["hardware"], problem.values["workload"], problem.params)
    given = candidate_of(setting.base)
    return show(
        [
            *figures("all 3 x 3 layouts, all objectives", {}, 60.0),
            *figures("all 3 x 3 layouts, EDP and area", ONE_GOAL, 60.0),
            *figures("all 3 x 3 layouts, all objectives, gains from 0.1 %", {"least_gain_percent": 0.1}, 60.0),
            Figure("peak memory, all processes", peak_mb(), "MB", 1000.0),
            Figure("bound of a package", median_ms(lambda: bound_package(setting, given)), "ms", 100.0),
            Figure("plan", median_ms(lambda: plan_of(problem)), "ms", 100.0),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
