from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from frontend.ids.calibrate import CalibrateIds
from frontend.pages.calibration.new.result import result
from frontend.pages.calibration.view import MOST_DRAWN, furthest
from hardware.calibration.loader import load_calibration
from tests.frontend.pages.calibration.new.cases import ANSWER, CONTENT, words
from tests.support.stored_runs import People


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


def test_a_picture_of_many_rows_keeps_those_that_are_furthest_off() -> None:
    base = load_calibration(CONTENT)
    rows = tuple(replace(base.rows[0], name=f"row {i}", measured=1.0, estimated=1.0 + i / 1e3) for i in range(200))
    kept = furthest(replace(base, rows=rows)).rows
    assert [row.name for row in kept] == [f"row {i}" for i in range(200 - MOST_DRAWN, 200)]
