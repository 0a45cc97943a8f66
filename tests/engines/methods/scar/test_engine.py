"""The engine as a whole; what every engine has to keep is in tests/engines/test_conformance.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import build_tables
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from engines.contract.engine import Problem, Resume, Step
from engines.contract.errors import CheckpointError, DecisionError, ProblemError
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate
from engines.running.inspection import plan as plan_of
from engines.running.prepared_problems import ready_of
from engines.testing import conformance
from tests.engines.methods.scar.problems import ENGINE, designs_of, run, scar_problem, scenario_problem


def test_the_published_greedy_schedule_comes_first_where_it_is_asked_for() -> None:
    problem = scar_problem({"search": "greedy"})
    tables = build_tables(problem.values["hardware"], problem.values["workload"], problem.params)
    greedy = search_greedily(tables, assign_windows(tables, 1), Goal("edp"))
    first = run(problem)[0].designs
    assert first is not None and first.origin == ("search",)
    assert tuple(first.columns[name][0] for name in first.columns) == Scorer(tables).score(greedy.schedule)


def test_evaluations_are_used_up_and_counted() -> None:
    steps = run(scar_problem({"evaluations": 137}))
    assert steps[-1].metrics["evaluations"] == 137
    assert designs_of(steps).found_at_evaluation.tolist() == list(range(1, 138))
    assert 20 <= len(steps) <= 45


def test_it_ends_early_where_there_is_nothing_left_to_combine() -> None:
    steps = run(scar_problem({"evaluations": 50_000, "n_splits": 0}, models=1))
    assert steps[-1].metrics["evaluations"] < 50_000
    assert steps[-1].fraction == 1.0
    assert "search-exhausted" in {result.name for result in steps[-1].results}


@pytest.mark.parametrize("objective", ["edp", "latency", "energy"])
def test_the_primary_metric_follows_the_objective(objective: str) -> None:
    problem = scar_problem({"objective": objective})
    name = ENGINE.primary_metric(problem)
    assert name.startswith(objective)
    assert run(problem)[-1].metrics[name] <= run(problem)[0].metrics[name]


def test_a_checkpoint_of_another_problem_is_refused() -> None:
    first = run(scar_problem())[0]
    assert first.checkpoint is not None and first.designs is not None
    with pytest.raises(CheckpointError):
        run(scar_problem(seed=5), Resume(first.checkpoint, first.designs))


def test_decisions_of_users_are_evaluated_and_wrong_ones_refused() -> None:
    problem = scar_problem({"n_splits": 0})
    both = {"windows": [{"models": [{"model": m, "first_layer": 0, "cuts": [3], "path": [m]} for m in (0, 1)]}]}
    found = evaluate(problem, [both])
    assert found.origin == ("user",)
    assert found.columns["latency_s"][0] > 0
    with pytest.raises(DecisionError):
        evaluate(problem, [{"windows": [{"models": [both["windows"][0]["models"][0]]}]}])
    assert len(evaluate(problem, [])) == 0


def test_too_many_models_is_a_result_and_not_refused() -> None:
    problem = scar_problem({"n_splits": 0}, models=5)
    ready_of(ENGINE, problem)
    plan = plan_of(problem)
    assert not all(check.ok for check in plan.checks)
    step = run(problem)[-1]
    assert step.infeasible is not None
    assert (step.infeasible.demand, step.infeasible.bound, step.infeasible.gap) == (5, 4, 1)


def with_hardware(problem: Problem, **changes: Any) -> Problem:
    return replace(problem, values=dict(problem.values) | {"hardware": replace(problem.values["hardware"], **changes)})


def test_packages_that_the_model_cannot_describe_are_refused() -> None:
    problem = scar_problem()
    chiplets = problem.values["hardware"].chiplets
    odd = (replace(chiplets[0], dataflow="other"), *chiplets[1:])
    with pytest.raises(ProblemError, match="shi-diannao"):
        ENGINE.prepare(with_hardware(problem, chiplets=odd))
    many = tuple(replace(chiplets[0], index=i, row=i) for i in range(63))
    with pytest.raises(ProblemError, match="62"):
        ENGINE.prepare(with_hardware(problem, chiplets=many))


def test_a_stop_ends_the_run_between_steps() -> None:
    problem = scar_problem({"evaluations": 5000})
    asked: list[Step] = []
    steps = drive(ENGINE, problem, LocalContext(problem, stop=lambda: len(asked) > 2))
    for step in steps:
        asked += [step]
    assert len(asked) == 3
    assert steps.ending == "stopped"


READINGS: list[Mapping[str, Any]] = [
    {"latency_reading": "pipelined_maximum"}, {"latency_reading": "end_to_end"}, {"mini_batch": 2},
    {"weight_loading": "every_mini_batch"}, {"root_rule": "free"}, {"n_splits": 8},
    {"dram_rule": "maestro"}, {"output_stationary_mapping": "ykp_os_kept"}, {"cost_model": "ideal-array"},
    {"contention": "between_models"}, {"contention": "between_models", "search": "greedy", "node_rule": "free"},
]  # fmt: skip


@pytest.mark.parametrize("params", READINGS, ids=str)
def test_bounds_evaluate_and_explain_hold_for_every_reading(params: Mapping[str, Any]) -> None:
    problem = scar_problem(params)
    found = designs_of(run(problem))
    again = evaluate(problem, found.decisions)
    for name, values in found.columns.items():
        np.testing.assert_array_equal(again.columns[name], values, name)
    searched = found.take([i for i, origin in enumerate(found.origin) if origin == "search"])
    bounds = plan_of(problem).bounds
    assert [bound.column for bound in bounds] == ["latency_s", "energy_j"]
    for bound in bounds:
        assert bound.column and searched.columns[bound.column].min() >= bound.value * (1 - 1e-12)


def test_scenario_4_is_searched_in_seconds_and_says_what_does_not_fit() -> None:
    problem = scenario_problem("simba-3x3-het-sides", "mlperf-scenario-4", {"evaluations": 300})
    ready_of(ENGINE, problem)
    plan = plan_of(problem)
    assert any("9 chiplets" in check.text for check in plan.checks)
    found = designs_of(run(problem))
    assert len(found) == 300
    assert found.columns["buffer_excess_mb"].min() > 0  # the language model's last layer alone exceeds the buffer


OPTIONS: list[Mapping[str, Any]] = [
    {"n_splits": 2, "n_splits_search": "range", "contention": "between_models", "model_chiplets": "wide: not 3"},
    {"search": "evolutionary", "n_splits_search": "range", "dram_rule": "maestro"},
    {"search": "greedy", "contention": "between_models", "output_stationary_mapping": "yxp_os"},
]


@pytest.mark.parametrize("params", OPTIONS, ids=str)
def test_the_contract_holds_with_every_option(params: Mapping[str, Any]) -> None:
    tiny = conformance.TinyProblem(scar_problem(params))
    conformance.check_plan(tiny)
    unbroken = conformance.run_all(tiny)
    conformance.check_repeats(tiny, None, unbroken)
    for point in conformance.stopping_points(unbroken)[1:2]:
        conformance.check_resume(tiny, unbroken, point)
    found = conformance.designs_of(unbroken)
    conformance.check_evaluate(tiny, found)
    conformance.check_explain(tiny, found)
    conformance.check_results([result for step in unbroken for result in step.results])
