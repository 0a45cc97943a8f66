from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import LayerGraph, Matrix, Note, Result, Schedule, Table, Trace
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.sbrs.engine import SbrsEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate, explain
from engines.running.prepared import ready_of
from tests.engines.conformance import check_declaration, check_evaluate, check_explain, designs_of, run_all
from tests.engines.methods.sbrs.problems import measured_power, sbrs_problem, tiny_sbrs

EVERYTHING = {"networks": ["small", "medium", "large"], "adaptive": ["I", "O", "par"]}


def found(params: Mapping[str, Any] | None = None, mission: bool = False) -> Designs:
    problem = sbrs_problem(params, mission)
    return designs_of(list(drive(SbrsEngine(), problem, LocalContext(problem))))


def explained(mission: bool = True, params: Mapping[str, Any] | None = None) -> dict[str, Result]:
    problem = sbrs_problem(params, mission)
    return {result.name: result for result in explain(problem, EVERYTHING)}


def test_it_scores_every_application() -> None:
    assert len(found()) == 4 * 8
    designs = found({"smallest_set": 1})
    assert len(designs) == 7 * 8
    assert np.isnan(designs.columns["mission_accuracy_percent"]).all()
    alone = designs.columns["networks"] == 1
    assert (designs.columns["response_delay_s"][alone] == 0).all()
    assert (designs.columns["response_delay_s"] <= designs.columns["naive_delay_s"]).all()
    assert (designs.columns["memory_bytes"] <= designs.columns["naive_memory_bytes"] + 1e-12).all()


def test_more_adaptive_attributes_need_no_more_memory_as_in_table_10() -> None:
    memory = {tuple(d["adaptive"]): m for d, m in zip(*_columns(found()), strict=True) if len(d["networks"]) == 3}
    assert memory["I", "O", "par"] <= memory["I", "O"] <= memory[()]


def _columns(designs: Designs) -> tuple[Any, Any]:
    return designs.decisions, designs.columns["memory_bytes"]


def test_only_the_selected_networks_make_the_papers_application() -> None:
    designs = found({"scenario_sets": "selected", "adaptive": "io_par", "requirements": "a: 1 0 0 0; b: 0 0 0.5 0.5"})
    assert [d["networks"] for d in designs.decisions] == [["small", "large"]]
    assert designs.columns["weighted_rank"][0] == 1.0


def test_requests_in_any_step_take_no_longer_at_worst_than_in_the_first() -> None:
    first, mean, worst = (
        found({"request": name, "scenario_sets": "selected", "adaptive": "io_par"}).columns["response_delay_s"][0]
        for name in ("first", "mean", "worst")
    )
    assert mean <= worst and first <= worst


def test_waiting_for_buffers_takes_longer_and_needs_no_second_copies() -> None:
    printed, safe = found(), found({"protocol": "safe"})
    assert (safe.columns["response_delay_s"] >= printed.columns["response_delay_s"]).all()
    assert (safe.columns["switch_memory_bytes"] == 0).all() and (printed.columns["switch_memory_bytes"] > 0).any()


def test_it_shows_what_is_shared_and_how_it_switches() -> None:
    results = explained(mission=False)
    assert isinstance(results["supergraph"], LayerGraph) and isinstance(results["schedule"], Schedule)
    matrix, naive = results["response"], results["response-naive"]
    assert isinstance(matrix, Matrix) and isinstance(naive, Matrix)
    assert np.nanmax(matrix.values - naive.values) <= 0
    table = results["components"]
    assert isinstance(table, Table)
    assert sum(text.startswith("op hyp") for text in table.table_columns[4].values) > 0  # type: ignore[union-attr]
    assert "mission-power" not in results and "edges" not in results


def test_the_mission_of_figure_2() -> None:
    results = explained()
    power, totals = results["mission-power"], results["mission"]
    assert isinstance(power, Trace) and isinstance(totals, Table)
    columns = {column.title: column.values for column in totals.table_columns}
    switching, static, driven = range(3)
    assert columns["Time over budget"][static] == columns["Time over budget"][switching] == 0
    assert columns["Time over budget"][driven] > 0
    accuracy = columns["Mean accuracy"]
    assert accuracy[static] == pytest.approx(82) and accuracy[switching] > 86
    assert columns["Switches"][switching] >= 3


def test_a_measured_power_is_laid_over_the_mission() -> None:
    usual = sbrs_problem()
    problem = make_problem("sbrs", {**usual.inputs, "measured": measured_power()}, usual.params.model_dump())
    results = {result.name: result for result in explain(problem, EVERYTHING)}
    power, charge = results["mission-power"], results["mission-charge"]
    assert isinstance(power, Trace) and isinstance(charge, Trace)
    assert power.series[-1].title == "Measured power w" and len(charge.series) == 3
    assert len(results) > len(explained())


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"requirements": "r1: 1 1 0 0"}, "params.requirements"),
        ({"requirements": "r1 1 0 0 0"}, "params.requirements"),
        ({"accuracies": "tiny: 80"}, "params.accuracies"),
        ({"accuracies": "small: eighty"}, "params.accuracies"),
        ({"unit": "dla"}, "params.unit"),
        ({"budget_profile": "wind"}, "params.budget_profile"),
    ],
)
def test_it_refuses_what_it_cannot_read(params: Mapping[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        ready_of(SbrsEngine(), sbrs_problem(params))
    assert caught.value.field == field


@pytest.mark.parametrize(
    "decision", [{}, {"networks": ["tiny"], "adaptive": []}, {"networks": ["small"], "adaptive": ["op"]}]
)
def test_it_refuses_decisions_of_other_problems(decision: Mapping[str, Any]) -> None:
    problem = sbrs_problem()
    with pytest.raises(DecisionError):
        evaluate(problem, [decision])


def test_without_accuracies_it_warns() -> None:
    problem = sbrs_problem({"accuracies": ""}, mission=False)
    steps = list(drive(SbrsEngine(), problem, LocalContext(problem)))
    assert any(isinstance(result, Note) and result.level == "warning" for result in steps[-1].results)


def test_ties_among_all_networks_are_told_whichever_the_application_holds() -> None:
    problem = sbrs_problem({"accuracies": "", "requirements": "a: 1 0 0 0; b: 0 0 0.5 0.5"})
    one = EVERYTHING | {"networks": ["large"]}
    table = {result.name: result for result in explain(problem, one)}["requirements"]
    assert isinstance(table, Table)
    columns = {column.title: column.values for column in table.table_columns}
    assert columns["Served by"] == ("large", "large") and columns["Tied with"] == ("", "")
    best = columns["Best of all networks"]
    assert best[0].count("tied with") == 1 and "large" in best[0] and best[1] == "small"


def test_a_device_that_nobody_measured_is_estimated_on_request_and_said_aloud() -> None:
    usual = sbrs_problem(mission=False)
    inputs = {**usual.inputs, "hardware": get_builtin("hardware", "snapdragon-855")}
    params = {**usual.params.model_dump(), "unit": "gpu"}
    with pytest.raises(ProblemError, match="unmeasured=datasheet"):
        ready_of(SbrsEngine(), make_problem("sbrs", inputs, params))
    problem = make_problem("sbrs", inputs, {**params, "unmeasured": "datasheet"})
    assert SbrsEngine().estimator(problem)[0].endswith("fp32, GPU by the data sheet, not measured")
    steps = list(drive(SbrsEngine(), problem, LocalContext(problem)))
    note = next(each for each in steps[-1].results if each.name == "datasheet")
    assert isinstance(note, Note) and note.text.startswith("Predicted (data sheet, fp32): GPU. Nobody measured them")


def test_both_limits_together_may_be_too_much() -> None:
    designs = found()
    several = designs.columns["networks"] >= 1
    memory, delay = designs.columns["memory_bytes"][several].min(), 1e-12
    tiny = tiny_sbrs()
    steps = run_all(
        tiny, problem=sbrs_problem({"memory_limit_mb": memory * 2e-6, "response_limit_s": delay, "smallest_set": 1})
    )
    assert steps[-1].infeasible is None  # one network alone switches nowhere


def test_it_keeps_the_contract() -> None:
    tiny = tiny_sbrs()
    check_declaration(tiny.engine)
    designs = designs_of(run_all(tiny))
    check_evaluate(tiny, designs)
    check_explain(tiny, designs)


def test_traces_are_declared_with_an_environment_alone() -> None:
    with_mission, without = (SbrsEngine().explains_of(sbrs_problem(None, mission)) for mission in (True, False))
    assert Trace in with_mission and Trace not in without
    assert not any(isinstance(result, Trace) for result in explained(mission=False).values())
