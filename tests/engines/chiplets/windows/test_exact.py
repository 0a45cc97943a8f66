"""The exact search of a window against trying everything."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.costs.scoring import placement_costs
from engines.chiplets.problem.decision import Placement, validate
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.paths import simple_paths
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import assign_windows
from tests.engines.chiplets.cases import tables
from tests.engines.chiplets.windows.cases import NAMES, random_window


def every_placement(built, layers, most, source, roots):
    """(placement, latency, energy) of every segmentation on every path of one model."""
    model, found = built.models[layers.model], []
    for count in range(1, min(most, layers.end - layers.first) + 1):
        paths, _ = simple_paths(built.package_model.neighbours, roots, count, 100_000)
        paths = paths[np.isin(paths, sorted(built.allowed[layers.model])).all(axis=1)]
        for inner in combinations(range(layers.first + 1, layers.end), count - 1):
            if len(paths):
                cuts = (*inner, layers.end)
                costs = placement_costs(built, model, layers.first, cuts, paths, source)
                placed = [Placement(layers.model, layers.first, cuts, tuple(path)) for path in paths.tolist()]
                found += zip(placed, costs.latency_s.tolist(), costs.energy_j.tolist(), strict=True)
    return found


def brute_force(built, ranges, location, roots, goal):
    nodes = provisioned_nodes(built, ranges, goal)
    mask, latency, energy = np.zeros(1, np.int64), np.zeros(1), np.zeros(1)
    for layers, most in zip(ranges, nodes, strict=True):
        options = every_placement(built, layers, most, location[layers.model], roots)
        masks = np.array([sum(1 << c for c in placement.path) for placement, _, _ in options], dtype=np.int64)
        seconds, joules = (np.array([option[i] for option in options]) for i in (1, 2))
        row, column = np.nonzero((mask[:, None] & masks[None, :]) == 0)
        mask, latency = mask[row] | masks[column], np.maximum(latency[row], seconds[column])
        energy = energy[row] + joules[column]
    return float(goal.value(latency, energy).min(initial=np.inf))


@pytest.mark.parametrize("part", range(4))
def test_two_hundred_random_windows_equal_brute_force(part: int) -> None:
    for seed in range(50 * part, 50 * (part + 1)):
        random = np.random.default_rng(seed)
        built, ranges, location, roots = random_window(random)
        goal = Goal(NAMES[seed % 3])
        found = search_window_exactly(built, ranges, location, roots, goal)
        best = goal.one(found.best.latency_s, found.best.energy_j)
        assert best == pytest.approx(brute_force(built, ranges, location, roots, goal), rel=1e-8), seed
        assert found.proof is not None and found.proof.proven and found.proof.states > 0
        assert found.proof.lower_bound == best


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_window_by_window_it_never_loses_against_the_published_search(data: st.DataObject) -> None:
    layers = st.lists(st.floats(0.5, 9), min_size=4, max_size=4)
    models = {f"m{i}": [data.draw(layers), data.draw(layers)] for i in range(data.draw(st.integers(1, 3)))}
    built = tables(models, {"n_splits": 0}, batch=data.draw(st.integers(1, 3)))
    goal, windows = Goal(data.draw(st.sampled_from(NAMES))), assign_windows(built, 0)
    exact = search_greedily(built, windows, goal, search=search_window_exactly)
    greedy = search_greedily(built, windows, goal)
    validate(exact.schedule, built)
    ours, published = (t.windows[0].best for t in (exact, greedy))
    assert goal.one(ours.latency_s, ours.energy_j) <= goal.one(published.latency_s, published.energy_j) * (1 + 1e-9)
