"""The picture of a calibration's residuals."""

from __future__ import annotations

from dataclasses import replace

import plotly.graph_objects as go
import pytest

from frontend.figures.hardware.calibration_residuals import residual_figure, residual_sentence
from frontend.theme import SCHEMES, Scheme
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.calibration.model import SocCalibration


def calibration(slug: str) -> SocCalibration:
    return load_calibration(builtin_calibrations()[slug])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("slug", sorted(builtin_calibrations()))
def test_every_calibration_is_drawn(slug: str, scheme: Scheme) -> None:
    go.Figure(residual_figure(calibration(slug), scheme).to_dict())  # plotly's own validation


def test_every_row_has_its_marks_and_the_axis_holds_them() -> None:
    found = calibration("xavier-magnas")
    picture = residual_figure(found, "light")
    marks = {trace.name: list(trace.x) for trace in picture.data if trace.name}
    assert {name: len(x) for name, x in marks.items()} == {"network left out": 18, "fitted": 18, "predicted": 14}
    assert marks["fitted"][0] == pytest.approx(100 * found.rows[0].error)
    low, high = picture.layout.xaxis.range
    assert all(low < x < high for x in [*marks["fitted"], *marks["network left out"], *marks["predicted"]])
    assert list(picture.layout.yaxis.ticktext) == [row.name for row in found.rows]


def test_a_calibration_without_rows_is_drawn_empty() -> None:
    bare = replace(calibration("tx2-hadas"), rows=())
    go.Figure(residual_figure(bare, "dark").to_dict())
    assert residual_sentence(bare) == "No row was fitted."


def test_the_sentence_names_the_worst_row() -> None:
    words = residual_sentence(calibration("xavier-magnas"))
    assert (
        "18 fitted rows, median 3.3%" in words and "b3 (sage) on dla, latency" in words and "14 predicted rows" in words
    )
