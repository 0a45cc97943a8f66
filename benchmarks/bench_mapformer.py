"""Many networks on one board: mappings simulated in a second, how long a manager takes, and what share of the bound it reaches."""

from __future__ import annotations

import sys
import time
from itertools import product
from statistics import median

import numpy as np

from benchmarks.report import Figure, show
from engines.methods.mapformer.engine import MapFormerEngine
from engines.methods.mapformer.problem.instance import instance_of
from engines.methods.mapformer.reproduction.mixes import problem_of
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.simulation.steady_state import steady_state
from engines.workloads.families.image_mixes import drawn_mix

MIXES, SIZES, MODES_W = 10, (6, 8, 10), (10.0, 15.0, 30.0)
MOST_S, LEAST_PER_S, LEAST_SHARE = 2.0, 1e5, 90.0
_SIMULATED = 50_000


def mixes() -> list[tuple[str, ...]]:
    """Return 30 mixes of 6, 8 and 10 out of the 80 networks, the same every time."""
    return [drawn_mix(size, number) for size, number in product(SIZES, range(MIXES))]


def simulated() -> Figure:
    """Return the mappings of ten networks in a second of processor time."""
    instance = instance_of(problem_of(mixes()[-1], 15.0))
    mappings = instance.space.drawn(np.random.default_rng(0), _SIMULATED)
    steady_state(instance.board, mappings.take(np.arange(100)))
    begin = time.process_time()
    steady_state(instance.board, mappings)
    rate = _SIMULATED / (time.process_time() - begin)
    return Figure("mappings of 10 networks simulated on one core", rate, "/s", LEAST_PER_S, higher_is_better=True)


def main() -> int:
    """Measure, and compare with the limits."""
    figures, shares, times = [simulated()], [], []
    for number, names in enumerate(mixes()):
        mode_w = MODES_W[number % len(MODES_W)]
        problem = problem_of(names, mode_w)
        begin = time.process_time()
        last = list(drive(MapFormerEngine(), problem, LocalContext(problem)))[-1]
        took = time.process_time() - begin
        shares.append(100 * last.metrics.get("bound_fraction", 0.0))
        times += [took] if len(names) == max(SIZES) else []
        words = f"mix {number + 1}, {len(names)} networks, {mode_w:g} W"
        figures += [Figure(f"{words}: share of the bound", shares[-1], "%"), Figure(f"{words}: answer", took, "s")]
    figures.append(
        Figure("share of the bound, median of 30 mixes", median(shares), "%", LEAST_SHARE, higher_is_better=True)
    )
    figures.append(Figure("answer for 10 networks, median", median(times), "s", MOST_S))
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
