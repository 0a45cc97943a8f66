"""Exits and clocks: the exact front of a deep backbone over all clocks of Xavier, and the published nested search whole."""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.report import Figure, show
from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.hadas.engine import HadasEngine
from engines.methods.hadas.setup import build_setup
from engines.methods.hadas.space import CHOICES, decode
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.search.ends.correctness import NestedCorrectness
from engines.search.ends.paths import exact_front

LAYERS = (2, 5, 6, 6, 5, 5, 1)  # 30 layers in all
REPEATS = 5


def xavier() -> Problem:
    """Return the space on the GPU of Xavier: all steps of GPU, CPU and memory."""
    return make_problem("hadas", {"hardware": get_builtin("hardware", "jetson-agx-xavier")}, {"unmeasured": "assumed"})


def inner() -> list[Figure]:
    """Return the pricing and the exact front of a backbone of 30 layers."""
    setup = build_setup(xavier())
    genes = np.array([len(choices) - 1 for choices in CHOICES])
    depths = slice(1 + 9, 1 + 9 + len(LAYERS))
    genes[depths] = [choices.index(depth) for choices, depth in zip(CHOICES[depths], LAYERS, strict=True)]
    backbone = setup.backbone(decode(genes))
    begin = time.perf_counter()
    costs = backbone.costs(setup.prices)
    priced = time.perf_counter() - begin
    correctness = backbone.correctness
    assert isinstance(correctness, NestedCorrectness) and backbone.positions.count == sum(LAYERS)
    took = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        front = exact_front(correctness, *costs)
        took.append(time.perf_counter() - begin)
    words = f"{backbone.positions.count} layers, {len(setup.settings):,} clock settings"
    return [
        Figure(f"exact inner front, {words} ({len(front.setting)} choices)", 1e3 * min(took), "ms", 100.0),
        Figure(f"pricing of parts and exits, {words}", 1e3 * priced, "ms"),
    ]


def nested() -> list[Figure]:
    """Return the published budget on the GPU of TX2: 448 backbones, 3,500 choices of each that is kept."""
    problem = make_problem(
        HadasEngine.name, {"hardware": get_builtin("hardware", "jetson-tx2")}, {"inner": "nsga2_published"}
    )
    begin = time.perf_counter()
    steps = list(drive(get_engine(problem.engine), problem, LocalContext(problem)))
    took = time.perf_counter() - begin
    count = int(steps[-1].metrics["evaluations"])
    return [
        Figure(f"published nested search, {count} backbones with 3,500 choices each of those kept", took, "s", 60.0)
    ]


def main() -> int:
    """Print everything."""
    return max(show(inner()), show(nested()))


if __name__ == "__main__":
    sys.exit(main())
