"""What plans promise against the processor time that the default problem of every engine takes, as forms open with it.

The figure is how far the middle of the promised range is off, whichever way, and of all engines the 90th percentile: 3 is the
limit. Engines that train take minutes and
are measured where they are named: `bench.py estimates` leaves them out, `ENGINES=sbrs-search python benchmarks/bench_estimates.py`
measures them. Packages of 12 chiplets are the largest whose paths are all searched, and the case where that shows.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.report import Figure, show
from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import plan as plan_of

QUICK = (
    *(
        "sbrs",
        "soc-mapping",
        "map-and-conquer",
        "seesaw",
        "magnas",
        "scar",
        "package-search",
        "hadas",
        "mapformer",
        "duet",
    ),
    *("energyshield", "split-network", "split-computing", "language-mapping", "language-split", "neksus"),
)
LIMIT = 3.0


def default_problem(name: str) -> Problem:
    """Return the engine's own documents and parameters."""
    slots = {slot: kind for slot, kind in get_engine(name).inputs.items() if kind.required}
    return make_problem(name, {slot: get_builtin(kind.kind, kind.preferred) for slot, kind in slots.items()}, {}, 0)


def on_twelve_chiplets(problem: Problem) -> Problem:
    """Return the same on three rows of four chiplets."""
    given = problem.inputs["hardware"]
    layout = [f"{row} {row.split()[0]}" for row in given.content["package"]["layout"]]
    content: dict[str, Any] = {**given.content, "package": {"rows": 3, "columns": 4, "layout": layout}}
    inputs = {**problem.inputs, "hardware": Document("hardware", "twelve", 1, content)}
    return make_problem(problem.engine, inputs, {}, 0)


def cases() -> Iterator[tuple[str, Problem]]:
    """Name and problem of what is measured."""
    for name in os.environ.get("ENGINES", " ".join(QUICK)).split():
        problem = default_problem(name)
        yield name, problem
        if name == "scar":
            yield "scar, 12 chiplets", on_twelve_chiplets(problem)


def figure(name: str, problem: Problem) -> Figure:
    """Run it, and compare."""
    engine = get_engine(problem.engine)
    low, high = plan_of(problem).time_s
    begin = time.process_time()
    for _ in drive(engine, problem, LocalContext(problem)):
        pass
    took = time.process_time() - begin
    off = math.exp(abs(math.log(took / math.sqrt(low * high))))
    return Figure(f"{name}: {took:.2g} s, promised {low:.2g} to {high:.2g} s, off by", off, "x", LIMIT)


def main() -> int:
    """Measure and print."""
    figures = [figure(name, problem) for name, problem in cases()]
    high = float(np.quantile([each.value for each in figures], 0.9))
    return show([*figures, Figure("90th percentile over all engines, off by", high, "x", LIMIT)])


if __name__ == "__main__":
    sys.exit(main())
