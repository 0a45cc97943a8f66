from __future__ import annotations

import dataclasses

import numpy as np
import plotly.graph_objects as go
import pytest

from frontend.figures.front.front import axis_layout, fitting_view, front_figure, log_ticks, log_widened, widened
from frontend.figures.front.front_parts import Bound, Limit, View
from tests.frontend.figures.fronts_for_tests import cloud_of, sample_cloud_over_decades, texts, trace
from tests.frontend.figures.samples import sample_cloud


def test_round_values_of_logarithmic_axes_read_as_they_are() -> None:
    assert axis_layout((0.015, 12.0), True)["ticktext"] == ["0.03", "0.1", "0.3", "1", "3", "10"]
    assert axis_layout((900.0, 5e4), True)["ticktext"] == ["1\u2009000", "3\u2009000", "10\u2009000", "30\u2009000"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_passes_plotlys_own_validation(scheme):
    cloud = dataclasses.replace(sample_cloud(), kept=sample_cloud().x_values < 1.9, fresh=np.arange(4204) > 4100)
    bounds, limits = (
        [Bound("y", 4.234, "lower bound"), Bound("x", 1.05, "lower bound")],
        [Limit("x", 1.9), Limit("y", 4.6)],
    )
    figure = front_figure(cloud, scheme, selected=17, bounds=bounds, limits=limits)
    go.Figure(figure.to_dict())


def test_its_axes_have_names_and_units_with_a_prefix():
    figure = front_figure(cloud_of([0.1, 0.2], [2e-3, 1e-3]), "light")
    assert figure.layout.xaxis.title.text == "X (ms)"
    assert "Y (mJ)" in texts(figure)
    assert list(trace(figure, "front").x) == pytest.approx([100, 200])


@pytest.mark.parametrize(
    ("x_sense", "y_sense", "corner", "shape"),
    [
        ("minimise", "minimise", "lower left", "hv"),
        ("maximise", "minimise", "lower right", "vh"),
        ("minimise", "maximise", "upper left", "hv"),
        ("maximise", "maximise", "upper right", "vh"),
    ],
)
def test_it_says_which_corner_is_better_and_steps_that_way(x_sense, y_sense, corner, shape):
    figure = front_figure(cloud_of([1, 2, 3], [3, 2, 1], x_sense, y_sense), "light")
    assert f"better is {corner}" in texts(figure)
    assert trace(figure, "front").line.shape == shape


def test_a_given_view_is_kept_whatever_arrives():
    view = View((1.0, 2.0), (4.0, 5.0))
    figure = front_figure(sample_cloud(900), "light", view=view)
    assert list(figure.layout.xaxis.range) == [1.0, 2.0]
    assert figure.layout.uirevision == front_figure(sample_cloud(4000), "dark", view=view).layout.uirevision


def test_the_fitting_view_holds_the_whole_front():
    cloud = sample_cloud()
    view = fitting_view(cloud)
    for axis, values in ((view.x, cloud.x_values), (view.y, cloud.y_values)):
        assert axis[0] < values[cloud.front].min() and values[cloud.front].max() < axis[1]


def test_a_logarithmic_axis_moves_words_and_keeps_shapes() -> None:
    cloud = sample_cloud_over_decades()
    drawn = front_figure(cloud, "light", log="x", selected=3, limits=[Limit("x", 20.0)])
    assert drawn.layout.xaxis.type == "log" and drawn.layout.yaxis.type == "linear"
    low, high = drawn.layout.xaxis.range
    assert low < 0.1 and high > 1.9
    words = next(note for note in drawn.layout.annotations if "selected" in note.text)
    assert low < words.x < high
    excluded = next(shape for shape in drawn.layout.shapes if shape.type == "rect")
    assert excluded.x0 == pytest.approx(20.0)


@pytest.mark.parametrize(("low", "high"), [(0.45, 1.2), (1.0, 900.0), (1e-6, 1e6), (3.0, 3.1)])
def test_logarithmic_ticks_are_round_and_few(low: float, high: float) -> None:
    ticks = log_ticks(low, high)
    assert 3 <= len(ticks) <= 13 and all(low <= tick <= high for tick in ticks)


@pytest.mark.parametrize("other", [4.834, 4.834 - 1e-9, 4.834 + 1e-12])
def test_one_value_beside_an_equal_bound_stands_in_the_middle_of_its_axis(other: float) -> None:
    low, high = widened(4.834, 4.834, [other])
    assert (low, high) == pytest.approx((4.834 - 0.0387, 4.834 + 0.0387), rel=1e-3)


@pytest.mark.parametrize("widen", [widened, log_widened])
def test_values_that_are_nearly_equal_do_not_fill_the_axis(widen):
    low, high = widen(1.2708, 1.2716, [])
    assert 0.01 < (high - low) / 1.27 < 0.02 and (low + high) / 2 == pytest.approx(1.2712, rel=1e-3)
    low, high = widen(1.0, 2.0, [])
    assert (low, high) == pytest.approx((0.92, 2.08) if widen is widened else (10**-0.02408, 2 * 10**0.02408), rel=1e-3)
