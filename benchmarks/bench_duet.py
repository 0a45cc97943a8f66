"""Every split of a recommender priced and compared, and a whole run."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks.report import Figure, median_ms, show
from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.duet.engine import DuetEngine
from engines.methods.duet.instance import instance_of
from engines.methods.duet.recommender import BUILT_IN
from engines.methods.duet.scoring import Scorer
from engines.methods.duet.search import front_of
from engines.running.context import LocalContext
from engines.running.driver import drive

MOST_MS = 2000.0


def problem_of(model: str) -> Problem[Any]:
    """Return a model on a phone over 5G with every decision open."""
    names = {"hardware": "snapdragon-855", "radio": "5g-low-band-smartphone", "battery": "phone-battery-3400mah"}
    documents = {slot: get_builtin("hardware", slug) for slot, slug in names.items()}
    open_ones = {"near_memory": "any", "edge_near_memory": "any", "aim_datacentre_energy": True, "aim_area": True}
    return make_problem("duet", documents, {"model": model, **open_ones})


def main() -> int:
    """Measure, and compare with the limit."""
    figures = []
    for model in BUILT_IN:
        problem = problem_of(model)

        def front(problem: Problem[Any] = problem) -> int:
            ready = instance_of(problem)
            allowed = np.ones(len(ready.space.every), dtype=bool)
            return int(front_of(Scorer(ready).columns(ready.space.every), allowed, problem.params).sum())

        figures += [
            Figure(f"designs of {model.upper()}", float(len(instance_of(problem).space.every)), ""),
            Figure(f"exact front of {model.upper()}, {front()} designs", median_ms(front, repeats=3), "ms", MOST_MS),
        ]
    problem = problem_of("rm1")
    whole = median_ms(lambda: list(drive(DuetEngine(), problem, LocalContext(problem))), repeats=3)
    return show([*figures, Figure("a whole run of RM1", whole, "ms")])


if __name__ == "__main__":
    sys.exit(main())
