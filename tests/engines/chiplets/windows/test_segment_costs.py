from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.costs.scoring import placement_costs
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.exact import search_window_exactly
from tests.engines.chiplets.windows.cases import random_window


def test_it_scores_as_the_scorer_does() -> None:
    built, ranges, location, roots = random_window(np.random.default_rng(8))
    found = search_window_exactly(built, ranges, location, roots, Goal("edp"))
    for option in (found.best, *found.options):
        costs = [
            placement_costs(built, built.models[p.model], p.first_layer, p.cuts, np.array([p.path]), location[p.model])
            for p in option.window
        ]
        assert option.latency_s == pytest.approx(max(float(c.latency_s[0]) for c in costs), rel=1e-12)
        assert option.energy_j == pytest.approx(sum(float(c.energy_j[0]) for c in costs), rel=1e-12)
