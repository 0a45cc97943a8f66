from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.bounds import relaxed_window_bound
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.provision import provisioned_nodes
from tests.engines.chiplets.windows.cases import NAMES, random_window


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(NAMES))
def test_no_window_is_better_than_its_relaxed_bound(seed: int, name) -> None:
    built, ranges, location, roots = random_window(np.random.default_rng(seed))
    goal = Goal(name)
    found = search_window_exactly(built, ranges, location, roots, goal)
    nodes = provisioned_nodes(built, ranges, goal)
    sources = [(location[r.model],) for r in ranges]
    bound = relaxed_window_bound(built, ranges, sources, nodes, goal)
    assert goal.one(found.best.latency_s, found.best.energy_j) >= bound * (1 - 1e-12)
