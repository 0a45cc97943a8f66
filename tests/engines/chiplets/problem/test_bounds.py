from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.problem.bounds import lower_bounds
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from tests.engines.chiplets.cases import tables


def test_bounds_by_hand() -> None:
    # Fastest kinds: 3 + 2 = 5 s and J per sample; batch 2. Weights 20 B, input 10 B, output 20 B; memory 5 B/s, 24 J/B.
    built = tables({"a": [[3, 5], [6, 2]]}, batch=2)
    found = lower_bounds(built)
    assert found.energy_j == pytest.approx(10 + (20 + 2 * 30) * 24)
    # First sample 5 s and 20 B / 5 B/s = 4 s of weights; the second at best a sixth of 5 s later.
    assert found.latency_s == pytest.approx(5 + 4 + 5 / 6)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_schedule_is_better(data: st.DataObject) -> None:
    models = {}
    for i in range(data.draw(st.integers(1, 3))):
        layers = data.draw(st.integers(1, 5))
        models[f"m{i}"] = [data.draw(st.lists(st.floats(0.01, 9), min_size=layers, max_size=layers)) for _ in range(2)]
    params = {
        "n_splits": data.draw(st.integers(0, 3)),
        "latency_reading": data.draw(st.sampled_from(["fill_drain", "pipelined_maximum", "end_to_end"])),
        "weight_loading": data.draw(st.sampled_from(["once_per_window", "every_mini_batch"])),
        "mini_batch": data.draw(st.integers(1, 4)),
    }
    built = tables(models, params, batch=data.draw(st.integers(1, 5)))
    found = lower_bounds(built)
    scorer = Scorer(built)
    windows = assign_windows(built, params["n_splits"])
    for objective in ("edp", "latency", "energy"):
        latency, energy, *_ = scorer.score(search_greedily(built, windows, Goal(objective)).schedule)
        assert latency >= found.latency_s * (1 - 1e-12)
        assert energy >= found.energy_j * (1 - 1e-12)
