"""Measured values beside predictions on the page of a board: published ones, those of a project, words, table, imports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.survey.measurements.boards import board_rows
from engines.survey.measurements.kind_errors import KindError
from frontend.pages.catalogue.document.frame import find
from frontend.pages.catalogue.hardware import measured_values as measured
from frontend.pages.catalogue.hardware.measured_values import kind_sentences, measured_tab
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from tests.support.work import calls_of
from webapp.measuring.board_points import board_points, points_csv
from webapp.measuring.models import ImportedValue, ValueImport

BOARD = "snapdragon-8-elite"


def imported(people: People, device: str = BOARD, **facts: Any) -> ValueImport:
    origin = ValueImport.objects.create(
        project=people.project, owner=people.editor, file="ours.csv", format="Table", sha256="0" * 64, source="Our lab",
        licence="CC0-1.0",
    )  # fmt: skip
    given = {
        "network": "resnet50",
        "precision": "int8",
        "metric": "latency",
        "value": 1.9e-3,
        "runtime": "ours",
        "batch": 1,
    }
    for metric in ("latency", "energy"):
        values = {**given, "metric": metric, **facts}
        ImportedValue.objects.create(origin=origin, place="row 1", device=device, bounded=True, **values)
    return origin


def tab(people: People, person: Any, board: str = BOARD) -> str:
    shown = find(person, "hardware", board)
    assert shown is not None
    return json.dumps(measured_tab(person, shown, "light").to_plotly_json(), default=lambda one: one.to_plotly_json())


def test_a_board_shows_published_and_imported_values_with_the_band_and_words(people: People) -> None:
    imported(people)
    text = tab(people, people.viewer)
    parts = (
        "band \\u00d7/\\u00f7", "imported", "published", "the median error is", "The furthest off is", "ours.csv", "measured.csv",
        "1 imported value without a prediction. No energy", "/measured-values/import?device=snapdragon-8-elite",
        "quic/ai-hub-models",
    )  # fmt: skip
    for words in parts:
        assert words in text, words
    assert "Delete" not in text and "Delete" in tab(people, people.editor)
    strange = tab(people, people.stranger)
    assert "ours.csv" not in strange and "published" in strange


def test_an_imported_value_takes_the_prediction_that_has_not_seen_its_network(people: People) -> None:
    imported(people)
    shown = find(people.viewer, "hardware", BOARD)
    assert shown is not None
    points = board_points(people.viewer, shown.entry)
    [latency, energy] = sorted(
        (each.row for each in points if each.project), key=lambda row: row.quantity, reverse=True
    )
    left_out = [row.predicted_s for row in board_rows(BOARD) if (row.network, row.bits) == ("resnet50", "int8")]
    assert latency.predicted_s in left_out and latency.band and latency.error is not None
    assert energy.predicted_s is None and "energy" in energy.reason
    lines = points_csv(points).splitlines()
    assert len(lines) == len(points) + 1 and lines[0].startswith("board,measured_on,network")
    assert lines[-1].endswith(",lab")


@pytest.mark.parametrize("device", ["hailo-8", "rk3588"])
def test_a_network_without_published_rows_is_predicted_by_the_fit_of_the_device(people: People, device: str) -> None:
    metric = {"metric": "throughput", "value": 50.0}
    imported(people, device, network="digits-chain", **metric)
    shown = find(people.viewer, "hardware", device)
    assert shown is not None
    rows = [each.row for each in board_points(people.viewer, shown.entry) if each.project]
    assert all(row.predicted_s and row.band for row in rows)


def test_a_board_without_values_says_so_and_a_part_has_no_tab(people: People) -> None:
    assert "No measured values" in tab(people, people.viewer, "openmv-h7")


def test_errors_by_kind_are_told_for_the_width_that_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row for row in board_rows(BOARD) if row.ratio and row.bits == "int8"]
    error = KindError("depthwise layers", 1.6, 1.3, 1.9, 9)
    monkeypatch.setattr(
        measured, "kind_errors_of", lambda board: [("int8", "latency", 1, error), ("fp16", "latency", 1, error)]
    )
    assert kind_sentences(rows) == [
        "In int8. Depthwise layers: 1.6 × slower than predicted (99 % interval 1.3 to 1.9, 9 networks)."
    ]


def test_filters_and_deletion_answer(people: People, ask: Ask) -> None:
    document = {"kind": "hardware", "name": BOARD, "version": 1}
    values = {"document-name.data": document, "board-measured-precision.value": "w8a8", "scheme.data": "dark"}
    answer = json.dumps(ask(people.viewer, "board-measured.children", values, "board-measured-precision.value").json())
    assert "w8a8" in answer and "the median error is" in answer
    none = values | {"board-measured-runtime.value": "none of that name"}
    assert (
        "No value with a prediction"
        in ask(people.viewer, "board-measured.children", none, "scheme.data").content.decode()
    )
    origin = imported(people)
    key = json.dumps({"number": origin.pk, "type": "board-import"}, separators=(",", ":"))
    for person, stays in ((people.stranger, True), (people.viewer, True), (people.editor, False)):
        ask(person, "board-import-gone.children", {f"{key}.n_clicks": 1}, f"{key}.n_clicks")
        assert ValueImport.objects.exists() is stays


def test_the_tab_takes_little_work(people: People) -> None:
    tab(people, people.viewer)
    assert calls_of(lambda: tab(people, people.viewer)) < 400_000
