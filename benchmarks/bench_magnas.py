"""The architecture search: time per architecture, and what the inner engine and evolution are worth in hypervolume."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.report import Figure, show
from engines.contract.designs import Designs
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.search.indicators import hypervolume, reference_point

EVALUATIONS = 5000
COMPARED = 300
SENSES: tuple[Any, ...] = ("maximise", "minimise", "minimise")
COLUMNS = ("accuracy_percent", "latency_s", "energy_j")
# What differs from the default: Pareto ranking, exact mappings, the highest clocks.
SEARCHES: Mapping[str, Mapping[str, Any]] = {
    "exact mappings": {},
    "mappings by NSGA-II as published": {"inner": "nsga2_published"},
    "each unit alone": {"inner": "single_units"},
    "fitness as a weighted product": {"fitness": "product"},
    "random architectures, exact mappings": {"mutation": 1.0},
}


def search(params: Mapping[str, Any], seed: int) -> tuple[Designs, float]:
    """Return the designs of a search of the published space on Jetson AGX Xavier, and its processor time in seconds."""
    hardware = get_builtin("hardware", "jetson-agx-xavier")
    problem = make_problem("magnas", {"hardware": hardware}, params, seed)
    begin = time.process_time()
    steps = list(drive(get_engine("magnas"), problem, LocalContext(problem)))
    took = time.process_time() - begin
    return Designs.concatenate([step.designs for step in steps if step.designs is not None]), took


def points_of(designs: Designs) -> Any:
    """Return accuracy, latency and energy of what was found, baselines left out."""
    return designs.matrix(COLUMNS)[np.array(designs.origin) == "search"]


def hypervolumes() -> list[Figure]:
    """Return the hypervolume of each kind of search at equal architectures: median of three seeds, share of the best of all."""
    found = {
        name: [search({"evaluations": COMPARED, **params}, seed) for seed in range(3)]
        for name, params in SEARCHES.items()
    }
    every = np.concatenate([points_of(designs) for runs in found.values() for designs, _ in runs])
    corner = reference_point(every, SENSES)
    whole = hypervolume(every, SENSES, corner)
    figures = []
    for name, runs in found.items():
        shares = [hypervolume(points_of(designs), SENSES, corner) / whole for designs, _ in runs]
        figures.append(
            Figure(f"{COMPARED} architectures, {name}: share of the hypervolume", 100 * float(np.median(shares)), "%")
        )
        each = min(took for _, took in runs) / COMPARED
        figures.append(Figure(f"{COMPARED} architectures, {name}: time of one", 1e3 * each, "ms"))
    return figures


def main() -> int:
    """Print everything."""
    designs, took = search({"evaluations": EVALUATIONS}, 0)
    words = f"{EVALUATIONS} architectures with exact mappings ({len(designs)} designs kept)"
    status = show([Figure(words, took, "s", 60.0)])
    return max(status, show(hypervolumes()))


if __name__ == "__main__":
    sys.exit(main())
