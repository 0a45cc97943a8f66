"""A whole search of pruned networks on digits: the original's training, schedules, prunings, thresholds; how soon it stops."""

from __future__ import annotations

import sys
import time

from benchmarks.report import Figure, show
from benchmarks.stopping import stop_figures
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.myml.engine import MymlEngine
from engines.running.context import LocalContext
from engines.running.driver import drive

MOST_S = 60.0
MOMENTS_S = (4.0, 12.0, 25.0)  # within the training, among prunings


def main() -> int:
    """Measure, and compare with the limit."""
    problem = make_problem("myml", {"hardware": get_builtin("hardware", "snapdragon-855")}, {})
    begin = time.perf_counter()
    list(drive(MymlEngine(), problem, LocalContext(problem)))
    words = f"{problem.params.evaluations} prunings of four blocks on digits"
    whole = Figure(words, time.perf_counter() - begin, "s", MOST_S)
    return show([whole, *stop_figures(MymlEngine(), problem, MOMENTS_S)])


if __name__ == "__main__":
    sys.exit(main())
