"""Runs of the engine."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.engine import Step
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import Breakdown, Curve, LayerGraph, Note, Table
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate, explain
from tests.engines.conformance import TinyProblem, check_resume, designs_of, run_all
from tests.engines.methods.hadas.problems import single_problem, space_problem


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    return run_all(TinyProblem(single_problem()))


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


def test_a_design_is_explained_by_its_ends(steps: list[Step]) -> None:
    problem, designs = single_problem(), designs_of(steps)
    number = int(np.flatnonzero(np.array(designs.origin) == "search")[0])
    found = explain(problem, designs.decisions[number])
    graph = next(each for each in found if isinstance(each, LayerGraph))
    exits = [node for node in graph.nodes if node.group == "Exits"]
    assert len(exits) == designs.columns["exits"][number] + 1  # and the network's own end
    assert sum(node.figures[0][1] for node in exits) == pytest.approx(1)
    energy = next(each for each in found if isinstance(each, Breakdown) and each.unit == "J")
    assert energy.values.sum() == pytest.approx(designs.columns["energy_j"][number])
    clocks = next(each for each in found if isinstance(each, Table) and each.name == "clocks")
    steps_of = dict(
        zip(
            clocks.table_columns[0].values, zip(*(c.values for c in clocks.table_columns[2:]), strict=True), strict=True
        )
    )
    assert steps_of["GPU"][1] == 13  # Table 2.1
    ladders = next(each for each in found if each.name == "ladders")
    assert isinstance(ladders, Breakdown)
    steps = get_builtin("hardware", "jetson-tx2").content["units"]["gpu"]["frequencies_mhz"]
    at = int(steps_of["GPU"][0])
    bar = ladders.bars.index(f"GPU, step {at} of 13")
    assert ladders.values[bar, 0] == pytest.approx(sorted(steps)[at - 1] / max(steps))


def test_impossible_limits_say_by_how_much() -> None:
    problem = single_problem({"energy_limit_j": 0.06})
    last = run_all(TinyProblem(problem))[-1].infeasible
    assert last is not None and last.limit == "mean energy"
    assert last.gap == pytest.approx(last.demand - 0.06)
    allowed = run_all(TinyProblem(single_problem({"energy_limit_j": last.demand * 1.00001})))
    assert allowed[-1].infeasible is None


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        ({"exits": [20]}, "decisions.0.exits.0"),  # after the last layer
        ({"exits": 5}, "decisions.0.exits"),
        ({"exits": [5], "clocks_mhz": {"gpu": 5}}, "decisions.0.clocks_mhz.gpu"),
        ({"exits": [5], "threshold": 0.5}, "decisions.0.threshold"),
    ],
)
def test_a_decision_that_is_none_is_named(decision: dict[str, object], field: str) -> None:
    with pytest.raises(DecisionError) as error:
        evaluate(single_problem(), [decision])
    assert error.value.field == field


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"unit": "npu"}, "params.unit"),
        ({"first_exit": 500}, "params.first_exit"),
        ({"power_mode": "no"}, "params.power_mode"),
    ],
)
def test_bad_parameters_are_named(params: dict[str, object], field: str) -> None:
    problem = single_problem(params)
    with pytest.raises(ProblemError) as error:
        list(drive(get_engine("hadas"), problem, LocalContext(problem)))
    assert error.value.field == field


def test_a_unit_that_nobody_measured_is_refused_and_estimated_on_request() -> None:
    documents = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "workload": get_builtin("workload", "attentivenas-a0"),
    }
    refused = make_problem("hadas", documents, {"clock_steps": 2})
    with pytest.raises(ProblemError) as error:
        get_engine("hadas").prepare(refused)
    assert ("params.unmeasured", "assumed") in error.value.remedies
    allowed = make_problem("hadas", documents, {"clock_steps": 2, "unmeasured": "assumed"})
    assert get_engine("hadas").prepare(allowed).unit == "gpu"


def test_a_unit_that_cannot_run_an_operator_is_named_with_it() -> None:
    documents = {
        name: get_builtin(kind, slug)
        for name, kind, slug in (
            ("hardware", "hardware", "jetson-agx-xavier"),
            ("workload", "workload", "attentivenas-a0"),
            ("calibration", "calibration", "xavier-map-and-conquer"),
        )
    }
    with pytest.raises(ProblemError, match="depthwise on dla") as error:
        get_engine("hadas").prepare(make_problem("hadas", documents, {"clock_steps": 1, "unit": "dla"}))
    assert ("params.unmeasured", "assumed") in error.value.remedies


def test_the_space_ends_with_what_a0_to_a6_reach_by_the_same_search() -> None:
    last = run_all(TinyProblem(space_problem({"evaluations": 8})))[-1]
    tables = {result.name: result for result in last.results}
    assert set(tables) == {"baselines", "inner-searches"}
    columns = {column.title: column.values for column in tables["inner-searches"].table_columns}
    for words in ("without dissimilarity", "with dissimilarity"):
        assert all(0 < share <= 1 + 1e-9 for share in columns[f"Share of the exact hypervolume {words}"])
