"""The demo search of private split networks: how long it takes, and how soon it stops where it is asked to."""

from __future__ import annotations

import sys
import time

from benchmarks.report import Figure, show
from benchmarks.stopping import stop_figures
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.privynas.engine import PrivynasEngine
from engines.running.context import LocalContext
from engines.running.driver import drive

MOST_S = 600.0
MOMENTS_S = (5.0, 20.0, 45.0)


def main() -> int:
    """Measure, and compare with the limits."""
    inputs = {"hardware": get_builtin("hardware", "jetson-tx2"), "radio": get_builtin("hardware", "wifi-smartphone")}
    problem = make_problem("privynas", inputs, {})
    begin = time.perf_counter()
    list(drive(PrivynasEngine(), problem, LocalContext(problem)))
    whole = Figure("demo search on digits", time.perf_counter() - begin, "s", MOST_S)
    return show([whole, *stop_figures(PrivynasEngine(), problem, MOMENTS_S)])


if __name__ == "__main__":
    sys.exit(main())
