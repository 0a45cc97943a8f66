"""The tab of measured designs, and what of the page follows it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engines.contract.encoding.result_json import to_json
from engines.contract.progress.measurements import Measurement as DesignMeasurement
from engines.running.measured_results import Findings, measured_results
from frontend.ids.measurements import MeasuredIds
from frontend.ids.run import RunIds
from frontend.pages.run.measurements.data import front_numbers, measured_marks, turn_of
from frontend.pages.run.measurements.view import places_of
from frontend.pages.run.run_reader import designs_of
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import panel, values
from tests.support.stored_runs import People, finished_run
from tests.webapp.measuring.test_designs import measured, on_device
from webapp.measuring.designs import ask_designs
from webapp.measuring.measured_designs import measured_designs
from webapp.measuring.models import AgentDevice, Measurement
from webapp.runs.models import Run, RunResult

FOUND = json.dumps({"name": "measured", "type": MeasuredIds.FOUND_TYPE}, separators=(",", ":"))


def test_the_tab_offers_devices_to_who_may_measure(people: People, run: Run, device: AgentDevice, ask: Ask) -> None:
    offered = panel(ask, people.editor, run, "measured")
    for words in (
        "Measure these designs",
        "Test box, 1 thread",
        "The layers on the device",
        "No measurements of this run yet",
    ):
        assert words in offered
    assert "No device to measure on" in panel(ask, people.viewer, run, "measured")


def test_an_engine_that_says_nothing_has_no_tab(people: People, ask: Ask) -> None:
    toy = finished_run(people, steps=1, designs_per_step=2)
    assert "cannot be measured" in panel(ask, people.viewer, toy, "measured")


def test_the_button_queues_and_what_is_measured_appears(
    people: People, run: Run, device: AgentDevice, ask: Ask
) -> None:
    place = {
        f"{MeasuredIds.PLACES}.value": [f"{device.pk}:1:CPUExecutionProvider"],
        f"{MeasuredIds.MEASURE}.n_clicks": 1,
    }
    given = values(run, **place, **{f"{MeasuredIds.WHICH}.value": "selected"})
    given[f"{RunIds.SELECTION}.data"] = {"design": on_device(run)[0]}
    key, press = f"{MeasuredIds.TOLD}.children", f"{MeasuredIds.MEASURE}.n_clicks"
    assert "needs the role editor" in str(ask(people.viewer, key, given, press).json())
    told = ask(people.editor, key, given, press).json()["response"]
    assert "1 file waits for the agent of Test box" in str(told[MeasuredIds.TOLD])
    assert told[MeasuredIds.TURN]["data"]["waiting"] == 1 and told[MeasuredIds.EVERY]["disabled"] is False
    assert Measurement.objects.count() == 1

    known = {**values(run), f"{MeasuredIds.TURN}.data": told[MeasuredIds.TURN]["data"]}
    measured(0.010)
    tick = f"{MeasuredIds.EVERY}.n_intervals"
    found = ask(people.viewer, f"{MeasuredIds.TURN}.data", {**known, tick: 1}, tick).json()["response"]
    assert found[MeasuredIds.TURN]["data"]["pieces"] == 1 and found[MeasuredIds.EVERY]["disabled"] is True
    shown = ask(
        people.viewer,
        '{"name":["ALL"],"type":"measured-found"}.children',
        {**values(run), f"{FOUND}.id": json.loads(FOUND), f"{MeasuredIds.TURN}.data": {}},
        f"{MeasuredIds.TURN}.data",
    )
    assert "measured" in shown.content.decode() and "1 of 1" in shown.content.decode()


def test_what_was_measured_while_it_searched_stands_on_the_tab(people: People, run: Run, ask: Ask) -> None:
    Run.objects.filter(pk=run.pk).update(measure={"device": 1, "designs": 2, "threads": 1, "wait_minutes": 10.0})
    assert "The run ended before it asked for any of 2 designs" in panel(ask, people.viewer, run, "measured")
    front, answers = np.array([3]), {3: DesignMeasurement(0.02, 0.019, 0.021)}
    found = Findings("Test box, 1 thread", True, 2, (3, 1), answers, {3: 0.01, 1: 0.03}, {}, front, front)
    for result in measured_results(found):
        content = to_json(result)
        RunResult.objects.create(run=run, name=result.name, type=content["type"], step_number=1, content=content)
    shown = panel(ask, people.viewer, run, "measured")
    for words in (
        "1 of 2 designs measured on Test box",
        "Not answered in time",
        "Prediction error: median 50 %",
        "by the others (fitted)",
    ):
        assert words in shown
    assert "Changes by measurements" not in panel(ask, people.viewer, run, "data")


def test_other_runs_have_no_such_card(people: People, run: Run, ask: Ask) -> None:
    assert "Measured during the search" not in panel(ask, people.viewer, run, "measured")


def test_the_front_and_the_table_have_what_was_measured(
    people: People, measured_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.pages.run.measurements.data.current_user", lambda: people.viewer)
    designs, (first, second, third) = designs_of(measured_run), on_device(measured_run)[:3]
    marks = measured_marks(measured_run, designs, "latency_s", "energy_j")
    assert [mark.number for mark in marks] == [first, second] and {mark.axis for mark in marks} == {"x"}
    found = {each.number: each for each in measured_designs(people.viewer, measured_run)}
    assert marks[0].value == pytest.approx(0.010 + found[first].rest_s)
    assert "for NVIDIA Jetson TX2" in marks[0].words[1] and marks[0].words[2] == "Test box, 1 thread"
    assert measured_marks(measured_run, designs, "energy_j", "uploaded_bytes") == []
    assert {mark.label for mark in marks} == {""}
    turn = turn_of(list(found.values()))
    assert turn == {"waiting": 1, "pieces": 2, "asked": 3} and found[third].state == "waiting"


def test_a_long_front_is_measured_along_its_whole_length(run: Run) -> None:
    designs = designs_of(run)
    assert front_numbers(designs) == sorted(designs.front.tolist())
    two = front_numbers(designs, 2)
    ends = sorted(designs.front.tolist(), key=lambda number: designs.columns[designs.objectives[0].name][number])
    assert set(two) == {ends[0], ends[-1]}


def test_each_number_of_threads_is_a_mark_of_its_own(
    people: People, measured_run: Run, device: AgentDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.pages.run.measurements.data.current_user", lambda: people.viewer)
    first = on_device(measured_run)[0]
    ask_designs(people.owner, measured_run, [first], device, 2)
    measured(0.006)
    marks = measured_marks(measured_run, designs_of(measured_run), "latency_s", "energy_j")
    found = [(mark.place, mark.label) for mark in marks if mark.number == first]
    assert found == [(0, "Test box, 1 thread"), (1, "Test box, 2 threads")]


def test_every_number_of_threads_and_provider_is_a_place(device: AgentDevice) -> None:
    device.machine |= {"cores": 6, "providers": ["CUDAExecutionProvider", "CPUExecutionProvider"]}
    words = [title for _, title in places_of([device])]
    threads = ["1 thread", "2 threads", "4 threads", "6 threads"]
    assert words == [*(f"Test box, {each}" for each in threads), "Test box, CUDA"]
