"""The picture of attained fronts."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from engines.contract.quantities import Quantity
from frontend.figures.statistics.attainment import AttainmentSide, attainment_figure, attainment_sentence
from frontend.theme import RUNS

LATENCY = Quantity("latency_s", "Latency", "s", "minimise", "objective")
QUALITY = Quantity("quality", "Quality", "", "maximise", "objective")
NONE = np.empty((0, 2))


def side(number: int = 0, worst: Any = ((2, 4), (4, 2))) -> AttainmentSide:
    best, median = np.array([[1.0, 4], [2, 2], [4, 1]]), np.array([[1.0, 5], [2, 2]])
    return AttainmentSide(RUNS[number], f"Group {number}", best, median, np.array(worst, np.float64).reshape(-1, 2), 3)


def values(trace: dict[str, Any], axis: str) -> list[float]:
    packed = trace[axis]
    return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).tolist()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("sides", [[], [side()], [side(0), side(1), side(2, ())]])
def test_it_passes_plotlys_own_validation(scheme: Any, sides: Any) -> None:
    go.Figure(attainment_figure(sides, LATENCY, LATENCY, scheme))


def test_the_median_is_stepped_from_one_end_to_the_other() -> None:
    """From (1, 5): to the right at y=5 as far as x=2, where the next corner takes over."""
    figure = attainment_figure([side()], LATENCY, LATENCY, "light")
    line = next(trace for trace in figure["data"] if trace["mode"] == "lines" and trace["name"] == "A median")
    high_x, high_y = (figure["layout"][axis]["range"][1] for axis in ("xaxis", "yaxis"))
    assert values(line, "x") == pytest.approx([1, 1, 2, 2, high_x])
    assert values(line, "y") == pytest.approx([high_y, 5, 5, 2, 2])


def test_what_is_maximised_goes_on_to_the_lower_end() -> None:
    turned = AttainmentSide(RUNS[0], "", np.array([[1.0, -4], [4, -1]]), np.array([[1.0, -5], [2, -2]]), NONE, 3)
    figure = attainment_figure([turned], LATENCY, QUALITY, "light")
    line = next(trace for trace in figure["data"] if trace["mode"] == "lines" and trace["name"] == "A median")
    assert values(line, "y")[0] == pytest.approx(figure["layout"]["yaxis"]["range"][0])


def test_the_band_lies_between_the_quartiles_and_is_open_where_too_few_attain_anything() -> None:
    closed, opened = (
        attainment_figure([side(0, worst)], LATENCY, LATENCY, "light") for worst in (((2, 4), (4, 2)), ())
    )
    for figure, points in ((closed, 7 + 5), (opened, 7 + 1)):
        band = next(trace for trace in figure["data"] if trace["name"] == "A quartiles")
        assert len(values(band, "x")) == points
    few = AttainmentSide(RUNS[1], "Few", NONE, NONE, NONE, 4)
    assert attainment_figure([few], LATENCY, LATENCY, "light")["data"] == []
    assert "fewer than half of 4 runs" in attainment_sentence([few], LATENCY, LATENCY)
    assert "A Group 0: from 1.00\u00a0s with 5.00\u00a0s to 2.00\u00a0s with 2.00\u00a0s" in attainment_sentence(
        [side()], LATENCY, LATENCY
    )
