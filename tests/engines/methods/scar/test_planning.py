from __future__ import annotations

from engines.running.inspection import plan as plan_of
from tests.engines.methods.scar.problems import scar_problem, scenario_problem
from tests.support.work import calls_of


def test_the_plan_of_scenario_4() -> None:
    plan = plan_of(scenario_problem("simba-3x3-het-sides", "mlperf-scenario-4"))
    texts = [check.text for check in plan.checks]
    assert "4 models on 9 chiplets, one each at least" in texts
    assert any(text.startswith("6 chiplets reach off-chip memory") for text in texts)
    assert any(text.startswith("Largest layer") and "10.5 MB" in text for text in texts)
    assert plan.evaluations == 4200
    assert plan.determinism == "exact"
    assert 0 < plan.time_s[0] < plan.time_s[1] < 60
    assert {bound.unit for bound in plan.bounds} == {"s", "J"}


def test_the_plan_of_a_small_network_counts_in_kilobytes_and_in_the_singular() -> None:
    texts = [check.text for check in plan_of(scar_problem({"n_splits": 0})).checks]
    assert any(text.startswith("Largest layer") and " kB, buffer" in text for text in texts)
    assert any(text.startswith("1 time window, ") for text in texts)


def test_the_plan_takes_little_work() -> None:
    problem = scenario_problem("simba-3x3-het-sides", "mlperf-scenario-5")
    plan_of(problem)
    assert calls_of(lambda: plan_of(problem)) < 60_000


def test_settings_without_effect_are_told() -> None:
    notes = plan_of(scar_problem({"latency_reading": "end_to_end", "mini_batch": 4})).notes
    assert any("only matters" in note for note in notes)
    notes = plan_of(scar_problem({"mini_batch": 64})).notes
    assert any("larger than the batch" in note for note in notes)


def test_more_to_search_takes_longer() -> None:
    def seconds(**params) -> float:
        return plan_of(scar_problem({"n_splits": 2, **params})).time_s[0]

    assert seconds() < seconds(n_splits_search="range") < seconds(n_splits_search="range", contention="between_models")
    checks = plan_of(scar_problem({"n_splits": 2, "n_splits_search": "range"})).checks
    assert any(check.text.startswith("1 to 3 time windows") for check in checks)
