from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engines.chiplets.costs.scoring import MEMORY, Scorer
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.contended_search import with_contention
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange
from engines.chiplets.windows.resumable import whole
from engines.chiplets.windows.schedule_search import search_window_in_parts
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.costs.cases import SHARED, THOROUGH
from tests.engines.chiplets.windows.cases import NAMES, random_window
from tests.engines.chiplets.windows.test_exact import every_placement


def brute_force(built, ranges, location, roots, goal) -> float | None:
    """The least objective of all mappings under contention; None where there are too many to try."""
    nodes = provisioned_nodes(built, ranges, goal)
    offered = [
        [placement for placement, *_ in every_placement(built, r, most, location[r.model], roots)]
        for r, most in zip(ranges, nodes, strict=True)
    ]
    if np.prod([len(each) for each in offered]) > 4_000:
        return None
    scorer, best = Scorer(built), np.inf
    for window in product(*offered):
        if sum(len(p.path) for p in window) == len({c for p in window for c in p.path}):
            scores = scorer.window(window, location)
            best = min(best, goal.one(max(s.latency_s for s in scores), sum(s.energy_j for s in scores)))
    return best


@pytest.mark.parametrize("part", [0, 1, *(pytest.param(part, marks=pytest.mark.long) for part in (2, 3))])
def test_no_mapping_is_below_the_bound_and_what_is_proven_is_best(part: int) -> None:
    tried = met = 0
    for seed in range(60 * part, 60 * (part + 1)):
        built, ranges, location, roots = random_window(np.random.default_rng(seed), **SHARED)
        goal = Goal(NAMES[seed % 3])
        best = brute_force(built, ranges, location, roots, goal) if len(ranges) > 1 else None
        if best is None:
            continue
        problem = (built, ranges, location, roots, goal)
        found = THOROUGH(*problem)
        value = goal.one(found.best.latency_s, found.best.energy_j)
        assert found.proof is not None
        assert found.proof.lower_bound * (1 - 1e-9) <= best <= value * (1 + 1e-9)
        if found.proof.proven:
            assert value == pytest.approx(best, rel=1e-8)
        published = whole(with_contention(search_window_in_parts, thorough=False))(*problem).best
        assert goal.one(published.latency_s, published.energy_j) >= best * (1 - 1e-9)
        tried, met = tried + 1, met + (value <= best * (1 + 1e-8))
    assert tried >= 5
    assert met >= 0.8 * tried  # a heuristic, but one that finds the optimum most of the time


@pytest.mark.parametrize("seed", range(20))
def test_models_that_cannot_keep_apart_leave_a_gap(seed: int) -> None:
    random = np.random.default_rng(seed)
    models = {name: random.uniform(0.5, 9, (2, 3)).tolist() for name in "ab"}
    built = tables(models, {**SHARED, "root_rule": "free"}, on=package(1, 4, sides=("left",)), batch=2)
    ranges, location = [LayerRange(0, 0, 3), LayerRange(1, 0, 3)], [MEMORY, MEMORY]
    roots, goal = tuple(range(4)), Goal("latency" if seed % 2 else "edp")
    found = THOROUGH(built, ranges, location, roots, goal)
    value = goal.one(found.best.latency_s, found.best.energy_j)
    best = brute_force(built, ranges, location, roots, goal)
    assert best is not None and found.proof is not None and not found.proof.proven
    assert found.proof.lower_bound < best * (1 - 1e-6)
    assert value == pytest.approx(best, rel=0.05)
