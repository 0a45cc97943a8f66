"""The page that makes a calibration of measurements: its form, what it says of an answer, and saving."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from frontend.ids.calibrate import CalibrateIds
from frontend.pages.calibration.new.form import Choices, base_options, clock_fields, form, unit_options
from frontend.pages.calibration.new.result import result
from frontend.pages.calibration.view import MOST_DRAWN, furthest
from hardware.calibration.loader import builtin_calibrations, load_calibration
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.catalogue.models import Document

CONTENT = {**builtin_calibrations()["tx2-hadas"], "slug": "mine", "title": "Mine"}
REPORT = {
    "lines": 3, "notes": ["are the latencies in milliseconds?"], "rails_w": {}, "clocks_mhz": {},
    "unmatched": [{"line": 4, "name": "Reformat", "latency_ms": 0.2, "folded": False, "nearest": "conv1"}],
}  # fmt: skip
ANSWER = {"status": 200, "file": "run.csv", "body": {"reference": None, "report": REPORT, "content": CONTENT}}


def words(component: Any) -> str:
    return json.dumps(component, default=lambda each: getattr(each, "to_plotly_json", lambda: str(each))())


def test_the_form_offers_devices_with_a_memory_and_their_units_clocks_and_calibrations(people: People) -> None:
    choices = Choices.of(people.owner)
    assert {"jetson-agx-xavier", "jetson-tx2"} <= {entry.name for entry in choices.socs}
    assert "simba-3x3-nvdla" not in {entry.name for entry in choices.socs}
    soc = choices.soc("jetson-agx-xavier")
    assert "gpu" in [option["value"] for option in unit_options(soc)]
    assert {option["value"] for option in base_options(choices, soc)} == {"xavier-magnas", "xavier-map-and-conquer"}
    drawn = words(form(choices, "jetson-agx-xavier", "resnet50", "xavier-magnas"))
    assert "1377 MHz, highest" in drawn and "2133 MHz, highest" in drawn and '"value": "xavier-magnas"' in drawn
    assert "Choose a device" in words(clock_fields(None)) and choices.soc("nothing") is None


def test_a_fit_shows_errors_rows_parameters_and_lines_left_out(people: People) -> None:
    drawn = words(result(people.owner, ANSWER))
    for part in ("run.csv: 2 rows", "Not saved yet", "a6 on gpu", "Reformat", "conv1", "milliseconds?", "launch_us"):
        assert part in drawn


def test_the_question_for_rails_has_a_box_for_each(people: People) -> None:
    body = {"field": "rails", "got": {"GPU": 12.0, "VDDRQ": 2}, "accepted": "which rails"}
    drawn = words(result(people.owner, {"status": 400, "file": "run.csv", "body": body}))
    assert "GPU: 12.0" in drawn and drawn.count(CalibrateIds.RAIL_TYPE) == 2


def test_a_mistake_is_told_by_line_and_column(people: People) -> None:
    body = {"field": "line 4.latency_ms", "got": "nan", "accepted": "a number above 0", "message": "m"}
    drawn = words(result(people.owner, {"status": 400, "file": "run.csv", "body": body}))
    assert '"4"' in drawn and '"latency_ms"' in drawn and "run.csv is refused" in drawn


@pytest.mark.parametrize(
    "answer", [{}, {"status": 0}, {"status": 500, "body": []}, {"status": 200, "body": {"content": {"a": 1}}}]
)
def test_an_answer_of_any_shape_is_no_error(people: People, answer: dict[str, Any]) -> None:
    assert words(result(people.owner, answer))


def save(ask: Ask, user: Any, title: str, project: str) -> str:
    values = {
        f"{CalibrateIds.SAVE}.n_clicks": 1, f"{CalibrateIds.ANSWER}.data": ANSWER,
        f"{CalibrateIds.TITLE}.value": title, f"{CalibrateIds.PROJECT}.value": project,
    }  # fmt: skip
    return json.dumps(ask(user, f"{CalibrateIds.SAVED}.children", values, f"{CalibrateIds.SAVE}.n_clicks").json())


def test_what_is_shown_is_saved_under_its_title(people: People, ask: Ask) -> None:
    assert "lab/my-board@1" in save(ask, people.owner, " My  board ", "lab")
    assert "Already there" in save(ask, people.owner, "My board", "lab")
    stored = Document.objects.get(slug="my-board")
    assert (stored.kind, stored.project.slug) == ("calibration", "lab")


@pytest.mark.parametrize(
    ("title", "project", "said"),
    [("...", "lab", "Give it a title"), ("Mine", "nowhere", "notice bad"), ("tx2 hadas", "lab", "no built-in")],
)
def test_what_cannot_be_saved_says_why(people: People, ask: Ask, title: str, project: str, said: str) -> None:
    assert said in save(ask, people.owner, title, project) and not Document.objects.exists()


def test_a_picture_of_many_rows_keeps_those_that_are_furthest_off() -> None:
    base = load_calibration(CONTENT)
    rows = tuple(replace(base.rows[0], name=f"row {i}", measured=1.0, estimated=1.0 + i / 1e3) for i in range(200))
    kept = furthest(replace(base, rows=rows)).rows
    assert [row.name for row in kept] == [f"row {i}" for i in range(200 - MOST_DRAWN, 200)]
