"""A search with sixty trained networks, and what choosing one of them takes beside its training; how soon it stops."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.report import Figure, median_ms, show
from benchmarks.stopping import stop_figures
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.eexnas.acquisition import improvement, thompson
from engines.methods.eexnas.engine import EexnasEngine
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.scoring import Normal
from engines.methods.eexnas.space import unit_cube
from engines.running.context import LocalContext
from engines.running.driver import drive

NETWORKS, MOST_S, MOST_MS = 60, 600.0, 1000.0
MOMENTS_S = (4.0, 12.0, 40.0)


def main() -> int:
    """Measure, and compare with the limits."""
    problem = make_problem("eexnas", {"hardware": get_builtin("hardware", "efm32-giant-gecko")}, {"networks": NETWORKS})
    instance, random = instance_of(problem), np.random.default_rng(0)
    known, values, weights = (
        instance.space.draw(NETWORKS, random),
        random.random((NETWORKS, 4)),
        Normal(instance).weights,
    )

    def proposal(choose: Callable[..., int]) -> int:
        candidates = instance.space.draw(problem.params.candidates, random)
        return choose(unit_cube(known), values, unit_cube(candidates), weights, random)

    figures = [
        Figure(
            f"{title}: choosing after {NETWORKS} networks",
            median_ms(partial(proposal, search), repeats=3),
            "ms",
            MOST_MS,
        )
        for title, search in (("Thompson sampling", thompson), ("expected improvement", improvement))
    ]
    begin = time.perf_counter()
    list(drive(EexnasEngine(), problem, LocalContext(problem)))
    figures.append(Figure(f"{NETWORKS} networks trained", time.perf_counter() - begin, "s", MOST_S))
    return show([*figures, *stop_figures(EexnasEngine(), problem, MOMENTS_S)])


if __name__ == "__main__":
    sys.exit(main())
