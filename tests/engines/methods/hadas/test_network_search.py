"""The search of one network."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.engine import Problem, Step
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import Breakdown, Curve, Note, Table
from engines.methods.hadas.network_search import static_designs
from engines.methods.hadas.scoring import columns_of
from engines.methods.hadas.setup import build_setup
from engines.registry import get_engine
from engines.running.inspection import evaluate, explain
from engines.testing.conformance import TinyProblem, check_resume, designs_of, run_all
from tests.engines.methods.hadas.problems import measured_problem, ruled_problem, single_problem


def test_one_network_gets_a_proven_front_below_its_static_one(steps: list[Step]) -> None:
    designs = designs_of(steps)
    notes = [result for step in steps for result in step.results if isinstance(result, Note)]
    assert notes[0].role == "proof" and notes[0].text.startswith("Proven")
    searched = np.array(designs.origin) == "search"
    assert designs.columns["energy_j"][searched].max() < designs.columns["energy_j"][~searched].min()
    assert (designs.columns["exits"][~searched] == 0).all()
    assert np.isnan(designs.columns["score"][~searched]).all()


def test_the_published_search_is_told_as_a_share_of_the_exact_front(steps: list[Step]) -> None:
    curve = next(result for result in steps[-1].results if result.name == "published-inner")
    assert [series.title for series in curve.series] == ["Without dissimilarity", "With dissimilarity"]
    for series in curve.series:
        assert len(series.y) == len(curve.x)
        assert (np.diff(series.y) >= -1e-12).all()
        assert 0.5 < series.y[-1] <= 1
    assert (curve.series[0].y != curve.series[1].y).any()


def test_without_its_power_dissimilarity_changes_nothing() -> None:
    last = run_all(TinyProblem(single_problem({"gamma": 0, "inner_evaluations": 200, "inner_population": 20})))[-1]
    curve = next(result for result in last.results if isinstance(result, Curve))
    assert curve.series[0].y.tolist() == curve.series[1].y.tolist()


def test_what_is_printed_of_a0_without_exits_is_what_the_calibration_was_fitted_to(steps: list[Step]) -> None:
    assert designs_of(steps).columns["static_energy_j"][0] == pytest.approx(0.17378, rel=0.05)


def test_the_published_search_goes_on_after_a_stop() -> None:
    params = {"inner": "nsga2_published", "inner_evaluations": 120, "inner_population": 20}
    tiny = TinyProblem(single_problem(params))
    unbroken = run_all(tiny)
    check_resume(tiny, unbroken, 2)


def test_a_network_without_exits_stands_at_the_highest_clocks_and_where_no_other_setting_beats_it() -> None:
    setup = build_setup(measured_problem())
    designs = static_designs(setup, setup.given)
    columns = columns_of(setup, designs)
    assert (columns["exits"] == 0).all() and designs[0].label.endswith("without exits")
    assert all(each.label.endswith("clocks searched") for each in designs[1:])
    latency, energy = columns["latency_s"][1:], columns["energy_j"][1:]
    order = latency.argsort()
    assert (energy[order][1:] < energy[order][:-1]).all(), "each of the others is on the front"


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
        (measured_problem({"leaving": "rules"}), "params.leaving", "lack confidence values.*Train the exits again"),
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
