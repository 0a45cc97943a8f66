"""The picture of a survey."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from engines.survey.survey_result import front_of
from frontend.figures.drawing import text_width
from frontend.figures.hardware.survey import survey_figure, survey_sentence
from tests.frontend.pages.survey.cases import BOARD, FOUND, PACKAGE, UNABLE


def trace(found: go.Figure, name: str) -> go.Scatter:
    return next(each for each in found.data if each.name == name)


def test_every_basis_has_its_mark_and_calibrated_devices_a_box() -> None:
    found = go.Figure(survey_figure(FOUND.devices, "light").to_dict())
    assert {each.name for each in found.data} == {
        "error band",
        "own front",
        "front",
        "calibrated",
        "data sheet",
        "predicted",
    }
    assert list(trace(found, "calibrated").x) == [pytest.approx(10.0)]  # ms
    box = trace(found, "error band")
    assert min(filter(None, box.x)) == pytest.approx(10 / 1.2) and max(filter(None, box.y)) == pytest.approx(
        150 * 1.1
    )  # mJ
    assert {note.text for note in found.layout.annotations} >= {"Xavier", "Simba"}


def test_a_device_alone_is_the_front() -> None:
    front = trace(survey_figure([PACKAGE], "dark"), "front")
    assert front.x[0] == pytest.approx(5.0) and front.y[-1] == pytest.approx(11.0)


def test_the_sentence_names_the_fastest_and_the_most_frugal() -> None:
    assert survey_sentence([BOARD, PACKAGE]) == (
        "2 devices; fastest Simba with 5.00\u00a0ms, least energy Simba with 11.0\u00a0mJ."
    )
    assert survey_sentence([UNABLE]) == "No device runs the network."


def test_no_name_stands_on_a_front() -> None:
    from frontend.figures.hardware.survey import _along, _frame

    able = [(each, each.priced) for each in FOUND.devices if each.priced is not None]
    frame = _frame([priced for _, priced in able], "light", 640, 420)
    points = np.array([point for _, priced in able for point in priced.front])
    line = _along(able, np.array(front_of(points[:, 0], points[:, 1])), frame)
    assert len(line) > 20 and (line >= -1).all()
    for note in survey_figure(FOUND.devices, "light").layout.annotations[1:]:
        x, y = frame.pixel(10**note.x, 10**note.y)
        left = x + note.xshift - (0 if note.xanchor == "left" else text_width(note.text, 11))
        top = y - note.yshift - 5
        inside = (line[:, 0] > left) & (line[:, 0] < left + text_width(note.text, 11))
        assert not (inside & (line[:, 1] > top) & (line[:, 1] < top + 10)).any(), note.text
