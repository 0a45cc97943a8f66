"""The plan of a run: how long it is likely to take."""

from __future__ import annotations

from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.running.inspection import plan


def middle_s(scenario: str) -> float:
    inputs = {
        "hardware": get_builtin("hardware", "simba-3x3-het-checkerboard-256"),
        "workload": get_builtin("workload", scenario),
    }
    low, high = plan(make_problem("scar", inputs, {}, 0)).time_s
    return (low * high) ** 0.5


def test_few_models_on_nine_chiplets_take_longer_than_many() -> None:
    assert middle_s("xrbench-scenario-9") > 2 * middle_s("xrbench-scenario-6")
