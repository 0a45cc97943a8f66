"""The demo search of private split networks: how long it takes, and how soon it stops where it is asked to."""

from __future__ import annotations

import sys
import time
from typing import Any

from benchmarks.report import Figure, show
from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.privynas.engine import PrivynasEngine
from engines.running.context import LocalContext
from engines.running.driver import drive

MOST_S, MOST_STOP_S = 600.0, 2.0
_STOPPED_AFTER = 3  # steps


def main() -> int:
    """Measure, and compare with the limits."""
    inputs = {"hardware": get_builtin("hardware", "jetson-tx2"), "radio": get_builtin("hardware", "wifi-smartphone")}
    problem = make_problem("privynas", inputs, {})
    begin = time.perf_counter()
    list(drive(PrivynasEngine(), problem, LocalContext(problem)))
    figures = [Figure("demo search on digits", time.perf_counter() - begin, "s", MOST_S), stopping(problem)]
    return show(figures)


def stopping(problem: Problem[Any]) -> Figure:
    """From the moment a stop is asked for within an epoch."""
    told, asked = 0, list[float]()

    def stop() -> bool:
        if told >= _STOPPED_AFTER and not asked:
            asked.append(time.perf_counter())
        return bool(asked)

    for _ in drive(PrivynasEngine(), problem, LocalContext(problem, stop=stop)):
        told += 1
    return Figure("from asking for a stop to its end", time.perf_counter() - asked[0], "s", MOST_STOP_S)


if __name__ == "__main__":
    sys.exit(main())
