"""Every cut of ResNet-152 against 100 bandwidths, and a whole run."""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.report import Figure, median_ms, show
from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.split_network.cuts import every_cut
from engines.methods.split_network.engine import SplitNetworkEngine
from engines.methods.split_network.instance import instance_of
from engines.methods.split_network.scoring import best_cuts, every, priced
from engines.running.context import LocalContext
from engines.running.driver import drive

BANDWIDTHS, MOST_MS = 100, 50.0


def problem_of(network: str) -> Problem:
    """Return a network between Jetson TX2 and a server over Wi-Fi, everything else as the form has it."""
    documents = {
        "hardware": get_builtin("hardware", "jetson-tx2"),
        "workload": get_builtin("workload", network),
        "radio": get_builtin("hardware", "wifi-smartphone"),
    }
    return make_problem("split-network", documents, {})


def main() -> int:
    """Measure, and compare with the limits."""
    problem = problem_of("resnet152")
    instance = instance_of(problem)
    s_per_bit = 1 / np.geomspace(1e5, 1e9, BANDWIDTHS)

    def compare() -> None:
        every_cut(instance.graph)
        best_cuts(instance, priced(instance, every(instance)), s_per_bit, np.array([instance.queue.mean_s]))

    ready = median_ms(lambda: instance_of(problem))
    whole = median_ms(lambda: list(drive(SplitNetworkEngine(), problem, LocalContext(problem))), repeats=5)
    count = len(every(instance))
    return show([
        Figure("cuts of ResNet-152, with and without a bottleneck", float(count), ""),
        Figure(f"found, priced and compared at {BANDWIDTHS} bandwidths", median_ms(compare), "ms", MOST_MS),
        Figure("layers priced before", ready, "ms"),
        Figure("a whole run", whole, "ms"),
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
