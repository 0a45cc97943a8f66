"""Deadlines on schedules: what cannot be met, and what a schedule meets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.deadlines import deadline_checks, deadline_table
from engines.chiplets.explain import explain_schedule, window_starts_s
from engines.chiplets.problem.bounds import model_latency_s
from engines.chiplets.problem.tables import ScenarioTables
from engines.running.inspection import plan as plan_of
from tests.engines.chiplets.cases import tables
from tests.engines.chiplets.test_explain import MODELS, SCHEDULE
from tests.engines.methods.scar.problems import scenario_problem


def with_deadlines(*deadlines_s: float | None) -> ScenarioTables:
    built = tables(MODELS, {}, batch=3)
    models = zip(built.models, deadlines_s, strict=True)
    return replace(built, models=tuple(replace(model, deadline_s=deadline) for model, deadline in models))


def test_a_model_ends_in_its_last_window() -> None:
    built = with_deadlines(1.0, 2.0)
    scorer = Scorer(built)
    starts = window_starts_s(built, SCHEDULE, scorer)
    (table,) = deadline_table(built, SCHEDULE, scorer, starts)
    _, ends, deadlines, slack = (column.values for column in table.table_columns)
    # Model 0 runs in both windows and alone in the last one; model 1 in the first alone.
    assert ends[0] == pytest.approx(starts[2]) and 0 < ends[1] <= starts[1]
    assert slack.tolist() == pytest.approx([1 - end / deadline for end, deadline in zip(ends, deadlines, strict=True)])
    assert "deadlines" in [result.name for result in explain_schedule(built, SCHEDULE, scorer)]


def test_models_without_deadlines_have_no_table_and_no_check() -> None:
    built = with_deadlines(None, None)
    scorer = Scorer(built)
    assert deadline_table(built, SCHEDULE, scorer, window_starts_s(built, SCHEDULE, scorer)) == ()
    assert deadline_checks(built) == ()


def test_a_deadline_below_the_bound_is_refused_before_the_run() -> None:
    least = model_latency_s(with_deadlines(None, None), 0)
    met, missed = (
        deadline_checks(with_deadlines(least, least / 2))[0],
        deadline_checks(with_deadlines(least / 2, None))[0],
    )
    assert met.ok and not missed.ok and missed.text.endswith("with all chiplets to itself")


def test_the_plan_of_a_scenario_checks_its_deadlines() -> None:
    problem = scenario_problem("simba-3x3-nvdla", "mlperf-inference-edge")
    checks = [check for check in plan_of(problem).checks if "deadline" in check.text]
    assert len(checks) == sum("deadline_s" in model for model in problem.inputs["workload"].content["models"]) > 0
