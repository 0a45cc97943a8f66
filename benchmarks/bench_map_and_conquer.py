"""The evolution of Map-and-Conquer: 12,000 configurations, and how its searches compare on the same problem."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from benchmarks.report import Figure, show
from engines.contract.designs import Designs
from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.map_and_conquer.engine import MapAndConquerEngine
from engines.methods.map_and_conquer.quantities import OBJECTIVES, QUANTITIES
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.search.indicators import hypervolume

NETWORKS = ("vgg19", "visformer-small")
METHODS: dict[str, dict[str, Any]] = {
    "published": {"method": "published"},
    "nsga2": {"method": "nsga2"},
    "layers, 50 kept": {"method": "layers", "labels": 50, "clocks": "fixed"},
}
LIMIT_S = 5.0


def problem_of(network: str, params: dict[str, Any]) -> Problem:
    """On Jetson AGX Xavier."""
    hardware, workload = get_builtin("hardware", "jetson-agx-xavier"), get_builtin("workload", network)
    return make_problem("map-and-conquer", {"hardware": hardware, "workload": workload}, params, 0)


def measured(network: str, name: str) -> tuple[Figure, np.ndarray]:
    """Return a whole run: its processor time, and its front with accuracy turned."""
    problem = problem_of(network, METHODS[name])
    begin = time.process_time()
    steps = list(drive(MapAndConquerEngine(), problem, LocalContext(problem)))
    took = time.process_time() - begin
    designs = Designs.concatenate([step.designs for step in steps if step.designs is not None])
    front = designs.matrix(OBJECTIVES)[designs.front(QUANTITIES)] * (1, 1, -1)
    budget = "12,000 configurations" if "labels" not in METHODS[name] else "highest clocks"
    words = f"{network}, {name}, {budget}: {len(front)} on the front"
    return Figure(words, took, "s", LIMIT_S if name == "published" else None), front


def main() -> int:
    """Measure, and compare with the limits."""
    figures: list[Figure] = []
    for network in NETWORKS:
        fronts = {}
        for name in METHODS:
            figure, fronts[name] = measured(network, name)
            figures.append(figure)
        corner = np.max([front.max(axis=0) for front in fronts.values()], axis=0)
        volumes = {name: hypervolume(front, ("minimise",) * 3, corner) for name, front in fronts.items()}
        for name, volume in volumes.items():
            share = 100 * volume / volumes["published"]
            figures.append(Figure(f"{network}, hypervolume of {name} beside the published evolution's", share, "%"))
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
