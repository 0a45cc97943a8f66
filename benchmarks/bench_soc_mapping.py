"""The mapping search: time of exact fronts, mappings scored per second, and how near NSGA-II and random search come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.report import Figure, show
from engines.contract.engine import Problem
from engines.contract.results import Curve
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.mapping.problem.instance import Instance
from engines.mapping.search.exact import exact_points
from engines.mapping.solver.unit_mapping import FrontSearch, MappingFront, MappingLimits, Skips, UnitCosts, score
from engines.methods.magnas.search.accelerators import Granularity, accelerator_costs
from engines.methods.soc_mapping.engine import SocMappingEngine
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.search.indicators import hypervolume, reference_point

REPEATS = 5
NETWORK = "magnas-vig-s-gin"
LABELS = 20_000
DVFS_OF_MAGNAS = {
    "clocks": "searched",
    "clock_choices": "cpu: 1728 2265; gpu: 520 900 1377; memory: 1065 2133; dla: 1050 1395",
}
LIMITS: Mapping[str, tuple[Mapping[str, Any], float]] = {
    "34 blocks x 2 units": ({}, 10.0),
    "the same, at most 20 % above the fastest unit": ({"latency_slack_percent": 20}, 20.0),
    "the same, at most 12 W": ({"power_limit_w": 12}, 40.0),
    "the same, at most 2 changes of unit": ({"transition_limit": 2}, 40.0),
    "the same, latency, energy and power": ({"objectives": "latency_energy_power"}, 40.0),
    "281 layers x 2 units": ({"granularity": "layers"}, 1500.0),
}
HEURISTICS: Mapping[str, Mapping[str, Any]] = {
    "random": {"method": "random"},
    "NSGA-II as published": {"method": "nsga2_published"},
    "NSGA-II tuned": {"method": "nsga2"},
    "NSGA-II tuned, from single units": {"method": "nsga2", "seed_standalone": True},
}
SEEDS = {2000: 10, 20_000: 3}
SENSES: tuple[Any, Any] = ("minimise", "minimise")


def problem_of(params: Mapping[str, Any], seed: int = 0) -> Problem:
    """Return the ViG-S with GIN on Jetson AGX Xavier."""
    hardware, workload = get_builtin("hardware", "jetson-agx-xavier"), get_builtin("workload", NETWORK)
    return make_problem("soc-mapping", {"hardware": hardware, "workload": workload}, params, seed)


def seconds(action: Callable[[], Any], repeats: int = REPEATS) -> tuple[Any, float]:
    """Return what an action returns, and its least processor time."""
    times, found = [], None
    for _ in range(repeats):
        begin = time.process_time()
        found = action()
        times.append(time.process_time() - begin)
    return found, min(times)


def fixed_clocks() -> list[Figure]:
    """Return the exact fronts at the highest clocks."""
    figures = []
    for name, (params, limit) in LIMITS.items():
        instance = instance_of(problem_of(params))
        search = FrontSearch(instance.searched_costs, instance.limits, LABELS, by_power=instance.by_power)
        front, took = seconds(lambda search=search: search.front([0]))
        words = f"{name}: {len(front.setting)} mappings, off by {front.latency_error_s:g} s"
        figures.append(Figure(words, 1e3 * took, "ms", limit))
    return figures


def random_chain(blocks: int, units: int) -> UnitCosts:
    """Return the costs without any structure: a unit that is faster is not more costly."""
    random = np.random.default_rng(1)
    latency, energy = random.uniform(0.5, 1.5, (2, blocks, units, 1))
    handed_s, handed_j = np.full((2, blocks - 1, 1), 0.05)
    return UnitCosts(latency, energy, handed_s, handed_j)


def points_of(front: MappingFront) -> Any:
    """Return the latency and energy."""
    return np.column_stack([front.scores.latency_s, front.scores.energy_j])


def chains() -> list[Figure]:
    """Return the random chains, and how much of the hypervolume thinning costs."""
    figures = []
    for blocks, units, labels, limit in ((34, 3, LABELS, 0.02), (104, 3, 500, 0.1), (1000, 4, 500, 5.0)):
        search = FrontSearch(random_chain(blocks, units), MappingLimits(), labels)
        front, took = seconds(lambda search=search: search.front([0]), 1)
        words = f"random chain {blocks} x {units}, {labels} labels: {len(front.setting)} mappings"
        figures.append(Figure(words, took, "s", limit))
        if blocks == 104:
            exact = points_of(FrontSearch(random_chain(blocks, units), MappingLimits(), 10**6).front([0]))
            corner = reference_point(exact, SENSES)
            share = hypervolume(points_of(front), SENSES, corner) / hypervolume(exact, SENSES, corner)
            figures.append(Figure("  its hypervolume over the exact one", share, "", 0.999, higher_is_better=True))
    return figures


def with_skips(costs: UnitCosts, every: int, length: int) -> UnitCosts:
    """Return the same chain where every so many blocks a result is read again further on, as by residual additions."""
    producers = range(0, costs.blocks - length, every)
    readers = tuple((block + length,) for block in producers)
    handover = np.full((2, len(readers), 1), 0.05)
    return replace(costs, skips=Skips(tuple(producers), readers, (True,) * len(readers), *handover))


def branches() -> list[Figure]:
    """Return the networks with branches: residual additions, and long ones of which several are open."""
    figures = []
    for words, blocks, units, every, length, limit in (
        ("34 blocks x 2 units, a residual every 2 blocks", 34, 2, 2, 2, 0.05),
        ("34 blocks x 3 units, a residual every 2 blocks", 34, 3, 2, 2, 0.1),
        ("34 blocks x 2 units, 4 long branches open", 34, 2, 2, 9, 1.0),
    ):
        search = FrontSearch(with_skips(random_chain(blocks, units), every, length), MappingLimits(), LABELS)
        front, took = seconds(lambda search=search: search.front([0]), 1)
        figures.append(Figure(f"{words}: {len(front.setting)} mappings, {front.left_out} left out", took, "s", limit))
    return figures


def accelerators() -> list[Figure]:
    """Return the three accelerators of odema-2023 section 5.7.2, exactly."""
    figures = []
    granularity: Granularity
    for granularity, limit in (("blocks", 20.0), ("layers", 100.0)):
        costs = accelerator_costs(granularity)
        search = FrontSearch(costs, MappingLimits(), LABELS)
        front, took = seconds(lambda search=search: search.front([0]))
        words = f"PyramidViG-M, {costs.blocks} {granularity} x 3 accelerators: {len(front.setting)} mappings"
        figures.append(Figure(words, 1e3 * took, "ms", limit))
    return figures


def searched_clocks() -> list[Figure]:
    """Return the mapping and clocks together: costs and search."""
    figures = []
    for name, params, limit in (
        ("24 settings of MaGNAS", DVFS_OF_MAGNAS, 0.5),
        ("every step of Xavier", {"clocks": "searched", "clock_steps": 64}, 30.0),
    ):

        def whole(params: Mapping[str, Any] = params) -> tuple[Instance, Any]:
            instance = instance_of(problem_of(params))
            return instance, exact_points(instance, LABELS)[0]

        (instance, points), took = seconds(whole, 1)
        words = f"{name}: {len(instance.settings):,} settings, {len(points)} mappings"
        figures.append(Figure(words, took, "s", limit))
    return figures


def scoring() -> Figure:
    """Return the mappings of 34 blocks scored in a batch."""
    costs = instance_of(problem_of({})).costs
    units = np.random.default_rng(0).integers(costs.units, size=(20_000, costs.blocks))
    _, took = seconds(lambda: score(costs, units, np.zeros(len(units), np.int64)))
    return Figure("mappings of 34 blocks scored per second", len(units) / took, "/s", 1e6, higher_is_better=True)


def shares() -> list[Figure]:
    """Return the share of the exact hypervolume after the same evaluations, mean over seeds."""
    figures = []
    for clocks, more in (("highest clocks", {}), ("24 settings", DVFS_OF_MAGNAS)):
        for evaluations, seeds in SEEDS.items():
            for name, params in HEURISTICS.items():
                wanted = {**more, **params, "evaluations": evaluations}
                found = [share_of(problem_of(wanted, seed)) for seed in range(seeds)]
                spread = f"{min(found):.1f} to {max(found):.1f}"
                words = f"{clocks}, {evaluations} evaluations, {name} ({seeds} seeds, {spread})"
                figures.append(Figure(words, float(np.mean(found)), "%", 100.0))
    return figures


def share_of(problem: Problem) -> float:
    """Return what a whole run ends with."""
    steps = list(drive(SocMappingEngine(), problem, LocalContext(problem)))
    curve = next(result for result in steps[-1].results if isinstance(result, Curve))
    return float(curve.series[0].y[-1])


def main() -> int:
    """Measure and print."""
    exact = [*fixed_clocks(), *chains(), *branches(), *accelerators(), *searched_clocks()]
    return show([*exact, scoring(), *shares()])


if __name__ == "__main__":
    sys.exit(main())
