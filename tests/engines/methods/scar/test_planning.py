"""The plan of a run: how long it is likely to take."""

from __future__ import annotations

from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.running.inspection import plan


def middle_s(package: str, scenario: str) -> float:
    inputs = {"hardware": get_builtin("hardware", package), "workload": get_builtin("workload", scenario)}
    low, high = plan(make_problem("scar", inputs, {}, 0)).time_s
    return (low * high) ** 0.5


def test_windows_of_small_chiplets_take_longer_and_those_of_few_models_do_not() -> None:
    small, large = (f"simba-3x3-het-{name}" for name in ("checkerboard-256", "sides"))
    assert middle_s(small, "xrbench-scenario-6") > 1.5 * middle_s(large, "xrbench-scenario-6")
    assert middle_s(large, "xrbench-scenario-9") == middle_s(large, "xrbench-scenario-6")
