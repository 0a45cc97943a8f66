"""The picture of a survey."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from frontend.figures.survey import survey_figure, survey_sentence
from tests.frontend.pages.survey.cases import BOARD, FOUND, PACKAGE, UNABLE


def trace(found: go.Figure, name: str) -> go.Scatter:
    return next(each for each in found.data if each.name == name)


def test_every_basis_has_its_mark_and_calibrated_devices_a_box() -> None:
    found = go.Figure(survey_figure(FOUND.devices, "light").to_dict())
    assert {each.name for each in found.data} == {
        "expected within",
        "own front",
        "front",
        "calibration",
        "data sheet",
        "dataflow",
    }
    assert list(trace(found, "calibration").x) == [pytest.approx(10.0)]  # ms
    box = trace(found, "expected within")
    assert min(filter(None, box.x)) == pytest.approx(10 / 1.2) and max(filter(None, box.y)) == pytest.approx(0.15 * 1.1)
    assert {note.text for note in found.layout.annotations} >= {"Xavier", "Simba"}


def test_a_device_alone_is_the_front() -> None:
    front = trace(survey_figure([PACKAGE], "dark"), "front")
    assert front.x[0] == pytest.approx(5.0) and front.y[-1] == pytest.approx(11.0)


def test_the_sentence_names_the_fastest_and_the_most_frugal() -> None:
    assert survey_sentence([BOARD, PACKAGE]) == (
        "2 devices; fastest Simba with 5.00\u00a0ms, least energy Simba with 11.0\u00a0mJ."
    )
    assert survey_sentence([UNABLE]) == "No device runs the network."
