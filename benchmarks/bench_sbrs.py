"""Run-time switching: Algorithms 2 to 4 on five networks of 100 layers, and a search on digits."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np

from benchmarks.report import Figure, show
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.sbrs.cnn import Cnn, CnnLayer
from engines.methods.sbrs.equality import ADAPTABLE
from engines.methods.sbrs.search.engine import SbrsSearchEngine
from engines.methods.sbrs.supergraph import Supergraph, derive
from engines.methods.sbrs.transition import analyse_switch, naive, schedule
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.executor import ProcessExecutor

NETWORKS, LAYERS = 5, 100
REPEATS = 5


def network(number: int) -> Cnn:
    """Return a chain of 100 layers of a few kinds, with a residual connection over every third layer."""
    random = np.random.default_rng(number)
    layers = tuple(
        CnnLayer(f"l{place}", ("conv", "pool", "add")[place % 3], (("kernel", str(random.integers(1, 4))),), f"{number}:{place}",
                 ((8, 8),), 64, int(random.integers(1, 4)) * 1000)
        for place in range(LAYERS)
    )  # fmt: skip
    edges = sorted(
        {(place, place + 1) for place in range(LAYERS - 1)} | {(place, place + 3) for place in range(0, LAYERS - 3, 3)}
    )
    return Cnn(f"network-{number}", layers, tuple(edges))


def switches(graph: Supergraph) -> float:
    """Return the analysis and both schedules of every pair; the longest delay."""
    times = [[1e-3 + 1e-5 * place for place in range(LAYERS)]] * NETWORKS
    longest = 0.0
    for old, new in permutations(range(NETWORKS), 2):
        planned = schedule(times[old], times[new], analyse_switch(graph, old, new))
        longest = max(longest, planned.response_s, naive(times[old], times[new]).response_s)
    return longest


def milliseconds(action: Callable[[], Any]) -> float:
    """Return the least processor time of an action."""
    times = []
    for _ in range(REPEATS):
        begin = time.process_time()
        action()
        times.append(time.process_time() - begin)
    return 1e3 * min(times)


def algorithms() -> list[Figure]:
    """Return the derivation for every set A, and all switches."""
    cnns = [network(number) for number in range(NETWORKS)]
    figures = []
    for adaptive in ((), ("par",), ("I", "O"), ADAPTABLE):
        words = ", ".join(adaptive) or "nothing"
        figures.append(
            Figure(f"Algorithm 2, A = {{{words}}}", milliseconds(lambda a=adaptive: derive(cnns, a)), "ms", 1000.0)
        )
    graph = derive(cnns, ADAPTABLE)
    figures.append(Figure("Algorithms 3 and 4, all 20 pairs", milliseconds(lambda: switches(graph)), "ms", 1000.0))
    whole = milliseconds(lambda: switches(derive(cnns, ADAPTABLE)))
    return [*figures, Figure("Algorithms 2 to 4 together", whole, "ms", 1000.0)]


def search() -> list[Figure]:
    """Return 20 generations of 20 networks on digits with the usual parameters, on as many processes as there are cores."""
    if importlib.util.find_spec("torch") is None:
        return []
    problem = make_problem("sbrs-search", {"hardware": get_builtin("hardware", "jetson-tx2")}, {}, seed=0)
    processes = min(2, os.cpu_count() or 1)
    begin, largest, accuracy = time.perf_counter(), 0, 0.0
    with ProcessExecutor(processes) as executor:
        for step in drive(SbrsSearchEngine(), problem, LocalContext(problem, executor=executor)):
            largest = max(largest, len(step.checkpoint or b""))
            accuracy = max(accuracy, step.metrics.get("accuracy_percent", 0.0))
    took = time.perf_counter() - begin
    return [
        Figure(f"search of 20 x 20 networks on digits, {processes} processes", took, "s", 600.0),
        Figure("  largest checkpoint", largest / 1e6, "MB", 1.0),
        Figure("  best accuracy on the validation data", accuracy, "%", 95.0, higher_is_better=True),
    ]


def main() -> int:
    """Measure and print."""
    return show([*algorithms(), *search()])


if __name__ == "__main__":
    sys.exit(main())
