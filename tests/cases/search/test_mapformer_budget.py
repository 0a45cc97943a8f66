"""A search does not make more evaluations than its plan says at most."""

from __future__ import annotations

import pytest

from engines import explore
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine


@pytest.mark.long
@pytest.mark.parametrize("budget", [100, 1000, 5000, 20_000])
def test_it_keeps_within_its_plan(budget: int) -> None:
    engine = get_engine("mapformer")
    inputs = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "workload": get_builtin("workload", "ten-image-networks"),
    }
    problem = make_problem("mapformer", inputs, {"evaluations": budget}, 0)
    planned = engine.plan(problem, engine.prepare(problem)).evaluations
    found = explore("mapformer", inputs=inputs, params={"evaluations": budget})
    assert budget <= found.metrics["evaluations"] <= planned == budget * 5 // 4
