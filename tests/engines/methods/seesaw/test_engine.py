"""The engine on small problems: correlations, files, traces, a measured recording laid over, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Document, Resume
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import LayerGraph, Note, Result, Table, Trace
from engines.documents.problems import make_problem
from engines.methods.seesaw.engine import SeesawEngine
from engines.methods.seesaw.evaluation import build_instance
from engines.methods.seesaw.predictor import sweep
from engines.methods.seesaw.quantities import QUANTITIES
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate, explain
from engines.running.inspection import plan as plan_of
from engines.running.prepared import ready_of
from tests.engines.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.seesaw.problems import recording, seesaw_problem

DECISION = {"tolerance_percent": 5.0, "sensors": ["turn"], "leaves": 9, "feedback": True}


def explained(decision: dict[str, Any] | None = None, **said: Any) -> dict[str, Result]:
    """Results of a design by name."""
    problem = seesaw_problem(**said)
    return {each.name: each for each in explain(problem, decision or DECISION)}


def test_the_finder_takes_the_turn_of_a_route_and_leaves_its_heading() -> None:
    steps = run_all(TinyProblem(seesaw_problem(data=recording(tracks=40, duration_s=300))))
    table = next(each for step in steps for each in step.results if each.name == "correlations")
    assert isinstance(table, Table)
    used = dict(zip(table.table_columns[0].values, table.table_columns[4].values, strict=True))
    assert used["turn"] == "yes" and used["heading"] == "no"
    assert {tuple(d["sensors"]) for d in designs_of(steps).decisions if "sensors" in d} == {("turn",)}


def test_the_page_hears_of_every_set_of_sensors_before_the_first_design() -> None:
    steps = run_all(TinyProblem(seesaw_problem({"most_sensors": 2})))
    first = next(at for at, step in enumerate(steps) if step.designs is not None)
    assert [step.message for step in steps[:first]] == [
        "Reads the recording few",
        "Correlation of turn: 1 of 6",
        "Correlation of heading: 2 of 6",
        "Correlation of step speed: 3 of 6",
        "Correlation of turn + heading: 4 of 6",
        "Correlation of turn + step speed: 5 of 6",
        "Correlation of heading + step speed: 6 of 6",
    ]


@pytest.mark.parametrize("after", [1, 3, 4])
def test_a_run_goes_on_between_two_correlations(after: int) -> None:
    problem = seesaw_problem()
    whole = list(drive(SeesawEngine(), problem, LocalContext(problem)))
    checkpoint = whole[after].checkpoint
    assert checkpoint is not None
    stored = Designs.concatenate([Designs.empty(QUANTITIES), *(s.designs for s in whole[: after + 1] if s.designs)])
    rest = list(drive(SeesawEngine(), problem, LocalContext(problem), Resume(checkpoint, stored)))
    assert [step.message for step in rest] == [step.message for step in whole[after + 1 :]]
    assert designs_of([*whole[: after + 1], *rest]).columns.keys() == designs_of(whole).columns.keys()
    for name, column in designs_of(whole).columns.items():
        assert np.array_equal(designs_of([*whole[: after + 1], *rest]).columns[name], column), name


def test_files_are_c_code_of_the_front_and_the_highest_rate_without_sleep_is_a_baseline() -> None:
    steps = run_all(TinyProblem(seesaw_problem()))
    files = [file for step in steps for file in step.files]
    assert files and all(b"seesaw_decide" in file.data and file.name.endswith(".c") for file in files)
    designs = designs_of(steps)
    assert designs.label[0] == "always 1 Hz, without sleep" and designs.origin[0] == "baseline"
    assert designs.columns["battery_life_h"][0] == pytest.approx(7.8)
    assert np.all(designs.columns["error_percent"][:2] < 1e-9)


def test_traces_show_rate_error_tolerance_and_charge() -> None:
    found = explained()
    work, battery, tree = found["at-work"], found["battery"], found["tree"]
    assert isinstance(work, Trace) and isinstance(battery, Trace) and isinstance(tree, LayerGraph)
    assert {series.title for series in work.series} == {"Rate", "Least rate", "Turn", "Error so far"}
    assert [limit.value for limit in work.thresholds] == [5.0]
    charge = battery.series[0]
    assert charge.y[0] == 100 and np.all(np.diff(charge.y) <= 0) and np.all(charge.low <= charge.high)
    assert len(tree.edges) == len(tree.nodes) - 1
    assert tree.nodes[0].title.startswith("turn ≤ ") and tree.nodes[0].title.endswith(" °")


def test_the_code_of_any_design_is_its_file_and_says_in_which_units_signals_are() -> None:
    code = explained()["t5-turn-l9-feedback.c"]
    assert isinstance(code, Note)
    assert "Signals, in this order: turn in deg." in code.text and "seesaw_decide" in code.text


@pytest.mark.parametrize(("unit", "kind"), [("1", "frames"), ("g", "series")])
def test_motion_in_a_unit_is_not_that_of_a_picture(unit: str, kind: str) -> None:
    times = list(range(1200))
    columns = {"speed": [time % 90 for time in times], "motion": [time % 60 / 60 for time in times]}
    content = {
        "schema": "recording/1", "slug": "worn", "title": "Worn", "source": "made up", "measures": "motion",
        "units": {"speed": "km/h", "motion": unit},
        "tracks": [{"title": "one", "times_s": times, "columns": columns}],
    }  # fmt: skip
    problem = seesaw_problem(data=Document("data", "worn", 1, content))
    task = build_instance(problem).task
    assert (task.kind, task.signal_names, task.signal_units) == (kind, ("speed",), ("m/s",))


def test_the_life_of_the_exact_device_is_that_of_the_design() -> None:
    designs = evaluate(seesaw_problem({"devices": 1}), [DECISION])
    lives = explained(params={"devices": 1})["lives"]
    assert isinstance(lives, Table)
    # One device begins with the first track and need not end at the end of the last one.
    assert lives.table_columns[1].values[2] == pytest.approx(designs.columns["battery_life_h"][0], rel=0.01)


def _measured(unit: str, values: list[float]) -> Document:
    times = (np.arange(len(values)) * 3600.0).tolist()
    content = {"schema": "recording/1", "slug": "meter", "title": "Meter", "source": "made up", "units": {"reading": unit},
               "tracks": [{"title": "one", "times_s": times, "columns": {"reading": values}}]}  # fmt: skip
    return Document("data", "meter", 1, content)


def with_measured(document: Document) -> dict[str, Result]:
    """Results with a measured recording."""
    base = seesaw_problem()
    problem = make_problem("seesaw", {**base.inputs, "measured": document}, base.params.model_dump(), seed=3)
    return {each.name: each for each in explain(problem, DECISION)}


def test_measured_charge_is_laid_over_the_simulated_one_with_its_error() -> None:
    plain = explained()["battery"]
    assert isinstance(plain, Trace)
    own = np.interp(np.arange(6) * 3600.0, plain.time_s, plain.series[0].y)
    found = with_measured(_measured("%", [float(value) for value in (own - 2.0).clip(0)]))
    trace, errors = found["battery"], found["battery-errors"]
    assert isinstance(trace, Trace) and trace.series[-1].title == "Measured reading" and trace.series[-1].unit == "%"
    assert isinstance(errors, Table)
    figures = {column.title: column.values[0] for column in errors.table_columns}
    assert figures["RMSE"] == pytest.approx(2.0, abs=0.2) and figures["Mean error"] == pytest.approx(2.0, abs=0.2)


def test_a_measured_power_in_another_unit_is_asked_about() -> None:
    found = with_measured(_measured("W", [25.0, 26.0, 25.0]))  # 25 mW with the wrong head
    note = found["battery-unit-reading"]
    assert isinstance(note, Note) and "check the unit" in note.text and note.level == "warning"


def test_a_measured_column_that_fits_nothing_is_said() -> None:
    note = with_measured(_measured("degC", [20.0, 21.0]))["battery-measured"]
    assert isinstance(note, Note) and "%, W" in note.text


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"params": {"least_tolerance_percent": 30}}, "params.largest_tolerance_percent"),
        ({"data": recording("videos"), "node": "openmv-gps-camera", "params": {"feedback": "on"}}, "params.feedback"),
        ({"node": "openmv-gps-camera"}, "inputs.data"),
        ({"data": recording(tracks=1, duration_s=100)}, "inputs.data"),
        ({"data": recording(step_s=10)}, "inputs.data"),
    ],
)
def test_what_does_not_fit_together_is_refused(said: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        ready_of(SeesawEngine(), seesaw_problem(**said))
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tolerance_percent": 0}, "decisions.0.tolerance_percent"),
        ({"tolerance_percent": None}, "decisions.0.tolerance_percent"),
        ({"sensors": ["rain"]}, "decisions.0.sensors"),
        ({"sensors": ["turn", "turn"]}, "decisions.0.sensors"),
        ({"leaves": 1}, "decisions.0.leaves"),
        ({"feedback": "yes"}, "decisions.0.feedback"),
        ({"rate_hz": 3}, "decisions.0.rate_hz"),
        ({"rate_hz": 1, "sleep": 1}, "decisions.0.sleep"),
    ],
)
def test_a_decision_that_is_none_is_refused(changes: dict[str, Any], field: str) -> None:
    problem = seesaw_problem()
    with pytest.raises(DecisionError) as caught:
        evaluate(problem, [DECISION | changes])
    assert caught.value.field == field


def test_one_long_route_is_cut_up_to_train_and_test_on() -> None:
    plan = plan_of(seesaw_problem(data=recording(tracks=1, duration_s=1800)))
    assert "3 tracks to train on, 3 to test on" in plan.checks[0].text


def test_rain_is_told_by_humidity_and_not_by_temperature() -> None:
    # goyal-2023 section 3.2.3, Table 3.1: humidity is accepted, temperature is not.
    from tests.hardware.small_devices_for_tests import sensor_node_content

    gauge = sensor_node_content(
        high_power_sensor__rates_hz=[1 / 3600, 1 / 1800, 1 / 900, 1 / 300],
        measured__rate_hz=1 / 300,
    )  # fmt: skip
    data = recording("weather", tracks=8, duration_s=86_400, step_s=300.0, measures="rain")
    inputs = {"hardware": Document("hardware", "gauge", 1, gauge), "data": data}
    problem = make_problem("seesaw", inputs, {"tolerances": 1, "most_sensors": 1, "folds": 4, "devices": 2}, seed=1)
    steps = run_all(TinyProblem(problem))
    table = next(each for step in steps for each in step.results if each.name == "correlations")
    assert isinstance(table, Table)
    used = dict(zip(table.table_columns[0].values, table.table_columns[4].values, strict=True))
    assert used == {"temperature": "no", "humidity": "yes"}


def winding(turn_rad: float) -> Document:
    """Four tracks of a steady walk that turns by so much a second in one minute of two."""
    seconds = np.arange(240.0)
    heading = np.cumsum(np.where(seconds // 60 % 2, turn_rad, 0.0))
    columns = {"x": np.cumsum(np.cos(heading)).tolist(), "y": np.cumsum(np.sin(heading)).tolist()}
    tracks = [{"title": f"walk {n}", "times_s": seconds.tolist(), "columns": columns} for n in range(4)]
    content = {
        "schema": "recording/1",
        "slug": "walk",
        "title": "Walk",
        "source": "made up",
        "units": {"x": "m", "y": "m"},
    }
    return Document("data", "walk", 1, {**content, "tracks": tracks})


def test_sensors_are_sought_at_a_tolerance_at_which_the_rate_changes() -> None:
    params = {"largest_tolerance_percent": 20, "tolerances": 8}
    problem = seesaw_problem(params, winding(0.12))
    task = build_instance(problem).task
    assert sweep.rate_deviation(task, 0.1229) < 0.01 < sweep.rate_deviation(task, 0.02)
    assert sweep.tested_tolerance(task, problem.params) == 0.02
    assert run_all(TinyProblem(problem))[-1].infeasible is None


def test_where_one_rate_is_the_best_everywhere_it_is_said() -> None:
    last = run_all(TinyProblem(seesaw_problem({}, winding(0.0))))[-1]
    assert "nothing to predict" in last.message and last.infeasible is not None
    assert [field for _, field in last.infeasible.remedies] == ["params.least_tolerance_percent", "inputs.data"]


def test_where_the_lowest_rate_is_good_enough_less_error_is_offered() -> None:
    params = {"least_tolerance_percent": 14, "largest_tolerance_percent": 14, "largest_cross_validation_percent": 0.01}
    steps = run_all(TinyProblem(seesaw_problem(params)))
    lowest = designs_of(steps).columns["error_percent"].max()
    assert 0 < lowest < 14 and steps[-1].infeasible is not None
    words, field = steps[-1].infeasible.remedies[1]
    assert field == "params.least_tolerance_percent"
    assert f"always 0.1 Hz is off by {lowest:.2g} %" in words
