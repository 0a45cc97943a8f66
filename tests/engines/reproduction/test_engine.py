"""Reproductions as runs: parts, tables, continuation."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

import pytest

from engines.contract.encoding.result_json import result_from_bytes, result_to_bytes
from engines.contract.engine import Problem, Resume, Step
from engines.contract.errors import CheckpointError, DecisionError, ProblemError
from engines.contract.results import Table
from engines.documents.problems import make_problem
from engines.registry import engine_names, get_engine
from engines.reproduction.comparisons import Comparison
from engines.reproduction.engine import comparisons_in, tables_of
from engines.reproduction.reproductions import comparisons_of, listed, parts_of
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate, explain
from engines.running.inspection import plan as plan_of
from engines.running.prepared_problems import ready_of


def problem_of(method: str, quick: bool = True) -> Problem:
    return make_problem("reproduction", {}, {"method": method, "quick": quick})


def tables(steps: list[Step]) -> list[Table]:
    newest = {result.name: result for step in steps for result in step.results}
    return [table for table in newest.values() if isinstance(table, Table)]


def test_its_tables_hold_what_the_reproduction_computes() -> None:
    problem = problem_of("seesaw")
    steps = list(drive(get_engine("reproduction"), problem, LocalContext(problem)))
    computed = [replace(row, reason=row.why) for row in comparisons_of("seesaw", quick=True)]
    assert {row.key: row for row in comparisons_in(tables(steps))} == {row.key: row for row in computed}
    assert steps[-1].metrics["compared"] == len(computed) and steps[-1].fraction == 1
    assert all(step.message for step in steps)


def test_it_goes_on_after_the_part_that_was_done() -> None:
    problem, engine = problem_of("sbrs"), get_engine("reproduction")
    whole = list(drive(engine, problem, LocalContext(problem)))
    checkpoint = next(step.checkpoint for step in whole if step.checkpoint)
    rest = list(drive(engine, problem, LocalContext(problem), Resume(checkpoint, evaluate(problem, []))))
    assert len(rest) == len(whole) - 2
    expected = {table.name: table for table in tables(whole)}
    assert all(repr(table) == repr(expected[table.name]) for table in tables(rest))
    assert rest[-1].metrics["compared"] == whole[-1].metrics["compared"]


def test_what_other_versions_computed_is_not_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, engine = problem_of("sbrs"), get_engine("reproduction")
    checkpoint = next(step.checkpoint for step in drive(engine, problem, LocalContext(problem)) if step.checkpoint)
    monkeypatch.setattr("engines.reproduction.engine.versions_of", lambda _: {"sbrs": 99})
    with pytest.raises(CheckpointError, match="Reproduce it again"):
        next(drive(engine, problem, LocalContext(problem), Resume(checkpoint, evaluate(problem, []))))


def test_missing_values_survive_tables() -> None:
    rows = [
        Comparison("A", "one", 2.0, float("nan"), "x", "predicted", "a-2024", "Table 1", None, "", "One, two"),
        Comparison("B", "", float("nan"), 3.0, "%", "fitted", "a-2024", "Table 1", False, "Why.", "One, two"),
        Comparison("C", "", 2.0, 3.0, "%", "predicted", "a-2024", "Table 1", None, "", "One, two", 4.0),
    ]
    (table,) = tables_of(rows, {("a-2024", "One, two")})
    back = comparisons_in([result_from_bytes(result_to_bytes(table))])  # type: ignore[list-item]
    assert repr(back) == repr(rows)
    assert tables_of(rows, set()) == ()


def test_a_method_without_reproduction_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(ProblemError, match="seesaw"):
        ready_of(get_engine("reproduction"), problem_of("nothing"))
    with pytest.raises(DecisionError):
        explain(problem_of("sbrs"), {})


def test_it_is_a_job_and_not_a_method() -> None:
    assert "reproduction" not in engine_names()
    plan = plan_of(problem_of("scar", quick=False))
    assert plan.time_s[0] < plan.time_s[1]
    assert str(len(listed("scar"))) in plan.notes[0] and str(len(parts_of("scar"))) in plan.notes[0]
    assert all(isfinite(second) for second in plan.time_s)
