"""Runs whose inputs leave by rules that can run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.engine import Document, Problem
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import Breakdown, Note, Table
from engines.registry import get_engine
from engines.running.inspection import evaluate, explain
from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.hadas.problems import measured_document, measured_problem, single_problem

# Four images at two exits: the first is sure and right, the second sure and right at the first exit alone.
SURE = {
    "temperatures": [1.0, 1.5],
    "largest_probability": ["950990", "910300", "400970", "500500"],
    "entropy": ["900980", "850200", "300950", "400400"],
}


def with_sure(**changes: Any) -> Document:
    return measured_document(sure={**SURE, **changes})


def ruled_problem(params: dict[str, Any] | None = None) -> Problem:
    return measured_problem({"leaving": "rules", **(params or {})}, with_sure())


def test_rules_stand_beside_the_ideal_mapping_and_what_they_lose_is_told() -> None:
    steps = run_all(TinyProblem(ruled_problem()))
    designs = designs_of(steps)
    searched = np.array(designs.origin) == "search"
    labels = set(np.array(designs.label)[~searched].tolist())
    assert "Ideal mapping" in labels
    assert np.isnan(designs.columns["threshold"][~searched]).all()
    assert (designs.columns["threshold"][searched] > 0).all()
    assert designs.columns["accuracy_percent"][searched].max() == 75.0  # the second image leaves where it is right
    assert (designs.columns["lost_percent"][searched] >= 0).all()
    results = {result.name: result for result in steps[-1].results}
    note, table = results["proof"], results["lost-to-ideal"]
    assert isinstance(note, Note) and isinstance(table, Table) and note.text.startswith("Proven: every set of exits")
    columns = {column.title: column.values for column in table.table_columns}
    levels = np.asarray(columns["Accuracy, at least"], dtype=float)
    assert levels.tolist() == [75.0, 50.0, 49.0, 48.0, 45.0]  # the best that is reached, the own end and below
    for unit in ("Energy", "Latency"):
        ideal, rule = (np.asarray(columns[f"{unit}, {title}"]) for title in ("ideal mapping", "largest probability"))
        assert (np.diff(ideal) <= 0).all() and (np.diff(rule) <= 0).all()
        assert rule[0] < ideal[0]  # the image that no end gets right leaves early by the rule


def test_a_design_is_the_same_from_its_decision_and_its_rule_is_explained() -> None:
    designs = designs_of(run_all(TinyProblem(ruled_problem())))
    rows = np.flatnonzero(np.array(designs.origin) == "search")
    again = evaluate(ruled_problem(), [designs.decisions[row] for row in rows])
    for name in ("accuracy_percent", "energy_j", "latency_s", "lost_percent", "threshold"):
        assert again.columns[name] == pytest.approx(designs.columns[name][rows])
    decision = {"exits": [1, 2], "rule": "largest_probability", "threshold": 0.9}
    found = evaluate(ruled_problem(), [decision])
    assert found.columns["accuracy_percent"][0] == 75.0
    assert found.columns["left_early_fraction"][0] == 0.75
    leaving = next(each for each in explain(ruled_problem(), decision) if isinstance(each, Breakdown))
    assert leaving.values[0].tolist() == [0.5, 0.25, 0.25]


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        ({"exits": [1], "rule": "dice", "threshold": 0.5}, "decisions.0.rule"),
        ({"exits": [1], "rule": "entropy", "threshold": 1.5}, "decisions.0.threshold"),
        ({"exits": [1], "rule": "entropy"}, "decisions.0.threshold"),
        ({"exits": [1], "threshold": 0.5}, "decisions.0.threshold"),
        ({"exits": [3], "rule": "entropy", "threshold": 0.5}, "decisions.0.exits.0"),
    ],
)
def test_a_rule_that_is_none_is_named(decision: dict[str, object], field: str) -> None:
    with pytest.raises(DecisionError) as error:
        evaluate(ruled_problem(), [decision])
    assert error.value.field == field


@pytest.mark.parametrize(
    ("problem", "field", "words"),
    [
        (single_problem({"leaving": "rules"}), "params.leaving", "measured exits"),
        (measured_problem({"leaving": "rules"}), "params.leaving", "trained again"),
        (ruled_problem({"inner": "nsga2_published"}), "params.inner", "knows only the ideal mapping"),
    ],
)
def test_rules_without_a_measurement_are_refused(problem: Problem, field: str, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as error:
        get_engine("hadas").prepare(problem)
    assert error.value.field == field
    assert ("params.leaving", "ideal") in [each[1:] for each in error.value.remedies]


def test_impossible_limits_are_told_with_the_gap() -> None:
    last = run_all(TinyProblem(ruled_problem({"energy_limit_j": 1e-9})))[-1].infeasible
    assert last is not None and last.limit == "mean energy"
