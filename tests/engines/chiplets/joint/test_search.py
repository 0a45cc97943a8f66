"""The search over all windows together against trying everything."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.costs.scoring import MEMORY, Scorer
from engines.chiplets.joint.search import relaxed_bound, search_jointly
from engines.chiplets.problem.decision import ends_of, validate
from engines.chiplets.problem.objectives import EXPRESSION_NAMES, Goal
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange, assign_windows
from engines.contract.numeric.expressions import parse_expression
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.windows.test_exact import every_placement
from tests.support.sampling import seeds

NAMES = ("edp", "latency", "energy")
OWN = "max(latency_s, 2 * energy_j) + sqrt(latency_s * energy_j)"
GOALS = (
    *map(Goal, NAMES),
    Goal("weighted", 2.0, 3.0),
    Goal("expression", expression=parse_expression(OWN, EXPRESSION_NAMES, "objective")),
)


def random_schedule_problem(random: np.random.Generator, **more: str):
    """Tables and windows of a small problem of two windows; `more` parameters on top."""
    count, layers = int(random.integers(1, 3)), int(random.integers(2, 4))
    models = {f"m{i}": random.uniform(0.5, 9, (2, layers)).tolist() for i in range(count)}
    params = {
        "latency_reading": str(random.choice(["fill_drain", "pipelined_maximum", "end_to_end"])),
        "root_rule": str(random.choice(["published", "free"])),
        "node_rule": "free",
        "dram_rule": str(random.choice(["package", "maestro"])),
        **more,
    }
    inputs = random.integers(5, 60, layers).astype(float)
    built = tables(models, params, on=package(2, 2, sides=("left",)), batch=int(random.integers(1, 4)), inputs=inputs)
    cut = int(random.integers(1, layers))
    windows = [[LayerRange(m, 0, cut) for m in range(count)], [LayerRange(m, cut, layers) for m in range(count)]]
    return built, windows


def random_wider_problem(random: np.random.Generator):
    """The same with up to three windows, 2 x 3 chiplets, memory on both sides, and constraints."""
    count, layers = int(random.integers(1, 3)), int(random.integers(2, 5))
    models = {f"m{i}": random.uniform(0.5, 9, (2, layers)).tolist() for i in range(count)}
    columns, parts = int(random.integers(2, 4)), int(random.integers(2, min(layers, 3) + 1))
    if count * columns * parts == 18:  # too many to try them all
        parts = 2
    params = {
        "latency_reading": str(random.choice(["fill_drain", "pipelined_maximum", "end_to_end"])),
        "root_rule": str(random.choice(["published", "free"])),
        "node_rule": str(random.choice(["free", "provisioned"])),
        "weight_loading": str(random.choice(["once_per_window", "every_mini_batch"])),
        "dram_rule": str(random.choice(["package", "maestro"])),
        "model_chiplets": str(random.choice(["", "m0: not 0", "m0: not 3"])),
    }
    inputs = random.integers(5, 200, layers).astype(float)
    sides = ("left", "right") if random.random() < 0.5 else ("left",)
    batch = int(random.integers(1, 4))
    built = tables(models, params, on=package(2, columns, sides=sides), batch=batch, inputs=inputs)
    cuts = np.sort(random.choice(np.arange(1, layers), parts - 1, replace=False)).tolist()
    windows = [[LayerRange(m, a, b) for m in range(count)] for a, b in pairwise([0, *cuts, layers])]
    return built, windows


def brute_force(built, windows, goal):
    """The least objective over all schedules: every mapping of every window, whatever the one before."""

    def extend(done, location, before, latency, energy):
        if done == len(windows):
            totals.append((latency, energy))
            return
        ranges = windows[done]
        roots = start_chiplets(built, ends_of(before))
        nodes = provisioned_nodes(built, ranges, goal)
        choices = [
            every_placement(built, r, most, location[r.model], roots) for r, most in zip(ranges, nodes, strict=True)
        ]
        for window in disjoint(choices):
            after = list(location)
            for placement, *_ in window:
                after[placement.model] = placement.path[-1]
            placed = tuple(w[0] for w in window)
            extend(done + 1, after, placed, latency + max(w[1] for w in window), energy + sum(w[2] for w in window))

    def disjoint(choices):
        if not choices:
            yield []
            return
        for rest in disjoint(choices[1:]):
            taken = {c for w in rest for c in w[0].path}
            yield from ([first, *rest] for first in choices[0] if not taken & set(first[0].path))

    totals: list[tuple[float, float]] = []
    extend(0, [MEMORY] * len(built.models), (), 0.0, 0.0)
    return min(goal.one(latency, energy) for latency, energy in totals)


def known_value(built, windows, goal) -> float:
    try:
        first = search_greedily(built, tuple(map(tuple, windows)), goal, search=search_window_exactly)
    except DeadEndError:
        return np.inf
    latency, energy, *_ = Scorer(built).score(first.schedule)
    return goal.one(latency, energy)


@pytest.mark.parametrize("seed", seeds(100, at_every_change=30))
def test_proven_schedules_equal_brute_force(seed: int) -> None:
    built, windows = random_wider_problem(np.random.default_rng(seed))
    goal = GOALS[seed % len(GOALS)]
    known = known_value(built, windows, goal)
    found = search_jointly(built, windows, goal, known, budget=10**8)
    best = known
    if found.schedule is not None:
        validate(found.schedule, built)
        latency, energy, *_ = Scorer(built).score(found.schedule)
        best = goal.one(latency, energy)
        assert best < known
    assert found.proven
    assert best == pytest.approx(brute_force(built, windows, goal), rel=1e-8)
    assert found.lower_bound == pytest.approx(best, rel=1e-8)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(GOALS), st.sampled_from([0, 30_000]))
def test_no_schedule_is_better_than_the_bounds(seed: int, goal: Goal, budget: int) -> None:
    built, windows = random_schedule_problem(np.random.default_rng(seed))
    known = known_value(built, windows, goal)
    cut_short = search_jointly(built, windows, goal, known, budget)
    full = search_jointly(built, windows, goal, known, 10**8)
    assert full.proven
    assert cut_short.lower_bound <= full.lower_bound * (1 + 1e-8)
    assert relaxed_bound(built, windows, goal) <= full.lower_bound * (1 + 1e-8)


def test_where_paths_are_left_out_there_is_a_bound_and_no_proof() -> None:
    times = [[1.0, 5.0, 2.0] * 4, [3.0, 1.0, 4.0] * 4]
    built = tables(
        {"a": times, "b": times}, {"n_splits": 1, "path_limit": 16, "node_rule": "free"}, on=package(4, 5), batch=4
    )
    windows = assign_windows(built, 1)
    known = known_value(built, windows, Goal("edp"))
    found = search_jointly(built, windows, Goal("edp"), known, budget=10_000)
    assert not found.proven
    assert 0 < found.lower_bound <= known
