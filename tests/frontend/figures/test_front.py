from __future__ import annotations

import dataclasses

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.quantities import Quantity
from frontend.figures.front import axis_layout, fitting_view, front_figure, log_ticks
from frontend.figures.front_parts import Bound, Cloud, Limit, Point, View
from tests.frontend.figures.samples import ENERGY, LATENCY, sample_cloud


def cloud_of(x, y, x_sense="minimise", y_sense="minimise", **more) -> Cloud:
    count = len(x)
    return Cloud(
        Quantity("x", "X", "s", x_sense, "objective"),
        Quantity("y", "Y", "J", y_sense, "objective"),
        np.asarray(x, float),
        np.asarray(y, float),
        np.arange(count),
        np.zeros(count, bool),
        [""] * count,
        **more,
    )


def trace(figure: go.Figure, name: str):
    return next(t for t in figure.data if t.name == name)


def texts(figure: go.Figure) -> str:
    return " | ".join(note.text for note in figure.layout.annotations)


def test_round_values_of_logarithmic_axes_read_as_they_are() -> None:
    assert axis_layout((0.015, 12.0), True)["ticktext"] == ["0.03", "0.1", "0.3", "1", "3", "10"]
    assert axis_layout((900.0, 5e4), True)["ticktext"] == ["1\u2009000", "3\u2009000", "10\u2009000", "30\u2009000"]


@pytest.mark.parametrize("x_sense", ["minimise", "maximise"])
@pytest.mark.parametrize("y_sense", ["minimise", "maximise"])
@given(points=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_its_front_is_what_nothing_dominates(x_sense, y_sense, points):
    cloud = cloud_of([p[0] for p in points], [p[1] for p in points], x_sense, y_sense)
    signs = np.array([-1 if sense == "maximise" else 1 for sense in (x_sense, y_sense)])
    values = np.array(points) * signs
    best = {tuple(v) for v in values if not any((w <= v).all() and (w < v).any() for w in values)}
    assert {tuple(values[i]) for i in cloud.front} == best
    assert len(cloud.front) == len(best)
    assert (np.diff(cloud.x_values[cloud.front]) > 0).all()


def test_baselines_and_missing_values_are_not_on_its_front():
    cloud = cloud_of([1, 2, np.nan], [2, 1, 0])
    assert list(cloud.front) == [0, 1]
    assert list(dataclasses.replace(cloud, baseline=np.array([True, False, False])).front) == [1]


def test_designs_that_a_baseline_dominates_are_told_and_are_no_knee():
    cloud = cloud_of([0, 1, 2, 10, 1, 2], [10, 1.5, 1.4, 0, 1.5, 1.3])
    equal = dataclasses.replace(cloud, baseline=np.array([False] * 4 + [True, False]))
    assert not equal.outdone.any() and equal.knee == 1  # as good is not better
    better = dataclasses.replace(cloud, y_values=np.array([10, 1.5, 1.4, 0, 1.4, 9]), baseline=equal.baseline)
    assert better.outdone.tolist() == [False, True, True, False] and better.knee is None
    colours = trace(front_figure(better, "light"), "front").marker.line.color
    assert colours[0] == colours[3] != colours[1] == colours[2]


def test_a_maximised_axis_turns_what_dominates():
    cloud = cloud_of([1, 2, 1.5], [2, 1, 3], "maximise", "minimise")
    assert dataclasses.replace(cloud, baseline=np.array([False, False, True])).outdone.tolist() == [False]
    beaten = cloud_of([1, 2, 2.5], [2, 1, 1], "maximise", "minimise")
    assert dataclasses.replace(beaten, baseline=np.array([False, False, True])).outdone.tolist() == [True]


def test_quantities_without_a_sense_have_no_front():
    figure = front_figure(cloud_of([1, 2], [2, 1], "none"), "light")
    assert not any(t.name == "front" for t in figure.data)


def test_its_knee_is_the_design_nearest_to_the_ideal_point():
    assert cloud_of([0, 1, 2, 10], [10, 1.5, 1.4, 0]).knee == 1
    assert cloud_of([0, 10], [10, 0]).knee is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_passes_plotlys_own_validation(scheme):
    cloud = dataclasses.replace(sample_cloud(), kept=sample_cloud().x_values < 1.9, fresh=np.arange(4204) > 4100)
    bounds, limits = (
        [Bound("y", 4.234, "lower bound"), Bound("x", 1.05, "lower bound")],
        [Limit("x", 1.9), Limit("y", 4.6)],
    )
    figure = front_figure(cloud, scheme, selected=17, bounds=bounds, limits=limits)
    go.Figure(figure.to_dict())


def test_it_draws_an_empty_cloud():
    go.Figure(front_figure(cloud_of([], []), "light").to_dict())


def test_a_click_brings_back_the_number_of_the_design():
    cloud = dataclasses.replace(cloud_of([1, 2, 3], [1, 2, 3]), numbers=np.array([70_000, 70_001, 70_002]))
    figure = front_figure(cloud, "light")
    assert list(trace(figure, "dominated").customdata) == [70_001, 70_002]
    assert list(trace(figure, "front").customdata) == [70_000]


def test_it_uses_webgl_only_for_many_designs():
    assert trace(front_figure(sample_cloud(500), "light"), "dominated").type == "scatter"
    many = trace(front_figure(sample_cloud(5000), "light"), "dominated")
    assert many.type == "scattergl" and many.x.dtype == np.float32


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


def test_a_baseline_beyond_the_axes_is_pinned_to_the_edge_with_its_value():
    figure = front_figure(sample_cloud(), "light")
    assert "Standalone NVDLA at 3.74\u00a0s" in texts(figure)
    arrow = trace(figure, "baselines beyond the axes")
    low, high = figure.layout.xaxis.range
    assert low < arrow.x[0] < high
    assert "Simba NVDLA" in trace(figure, "baselines").text


def test_two_baselines_beyond_the_same_edge_do_not_cover_each_other():
    cloud = cloud_of([1, 2, 3, 90, 80], [3, 2, 1, 90, 80])
    cloud = dataclasses.replace(cloud, baseline=np.arange(5) > 2, labels=["", "", "", "Far", "Farther"])
    arrows = trace(front_figure(cloud, "light"), "baselines beyond the axes")
    low, high = front_figure(cloud, "light").layout.yaxis.range
    assert abs(arrows.y[0] - arrows.y[1]) > 0.04 * (high - low)


def test_words_along_the_upper_edge_do_not_cover_each_other():
    """Where three lie above the axis and near each other along it, as packages of one latency do."""
    cloud = cloud_of([1.0, 2.0, 3.0, 1.1, 1.3, 1.6], [4.03, 4.02, 4.01, 9.0, 9.5, 9.9])
    names = ["", "", "", "Simba 3x3 Het-Cross", "Simba 3x3 Het-CB", "Simba 3x3 Shi-diannao"]
    figure = front_figure(dataclasses.replace(cloud, baseline=np.arange(6) > 2, labels=names), "light")
    arrows = trace(figure, "baselines beyond the axes")
    assert set(arrows.marker.symbol) == {"triangle-up"}
    low, high = figure.layout.yaxis.range
    rows = sorted(arrows.y)
    assert min(np.diff(rows)) > 0.04 * (high - low)


def test_every_arrow_at_an_edge_has_its_name_level_with_it():
    """Also where others are as close as they can be, and the selected design is in the way."""
    cloud = cloud_of([1.0, 1.1, 1.2, 1.3, 9.0, 9.5, 11.0, 13.0], [4.3, 4.2, 4.1, 4.0, 4.02, 4.03, 4.04, 4.05])
    names = [""] * 4 + ["Always at once", "Always later", "Never at all", "Hardly ever"]
    cloud = dataclasses.replace(cloud, baseline=np.arange(8) > 3, labels=names)
    figure = front_figure(cloud, "light", selected=3)
    arrows = trace(figure, "baselines beyond the axes")
    notes = {str(note.text): note for note in figure.layout.annotations}
    assert len(arrows.x) == 3
    for y, words in zip(arrows.y, ("Always at once at 9.00", "Always later at 9.50", "and 2 more"), strict=True):
        note = next(note for text, note in notes.items() if text.startswith(words))
        assert note.y == pytest.approx(y) and note.yshift == 0 and note.xanchor == "right"


def test_many_baselines_beyond_one_edge_are_two_and_how_many_more():
    cloud = cloud_of([1, 2, 3, *range(80, 86)], [3, 2, 1, *[2] * 6])
    cloud = dataclasses.replace(cloud, baseline=np.arange(9) > 2, labels=["", "", "", *"ABCDEF"])
    figure = front_figure(cloud, "light")
    arrows = trace(figure, "baselines beyond the axes")
    assert len(arrows.x) == 3 and "and 4 more" in texts(figure)
    assert "A at 80.0" in texts(figure) and "F at" not in texts(figure)
    assert "F at 85.0" in arrows.text[2]


def test_words_leave_the_front_and_close_baselines_in_sight():
    x = np.linspace(1, 3, 60)
    baselines = np.array([[1.0, 3.02], [1.03, 3.0], [1.02, 2.96], [3.0, 1.02]])
    cloud = cloud_of(np.concatenate([x, baselines[:, 0]]), np.concatenate([4 - x, baselines[:, 1]]))
    names = [""] * 60 + ["GPU alone", "DLA alone", "CPU alone", "Governor"]
    cloud = dataclasses.replace(cloud, baseline=np.arange(64) > 59, labels=names)
    figure = front_figure(cloud, "light", width_px=480, height_px=400)
    shown = [note for note in figure.layout.annotations if note.text in names]
    assert len(shown) >= 3
    leaders = [shape for shape in figure.layout.shapes if shape.line.dash == "solid"]
    assert leaders, "words that stand apart from their mark are led to it"


def test_names_of_bounds_leave_the_ideal_point_in_sight():
    cloud = sample_cloud(300)
    ideal = Point("ideal", 1.09, 4.25)
    bounds = [Bound("x", 1.09, "lower bound"), Bound("y", 4.25, "lower bound")]
    drawn = front_figure(cloud, "light", bounds=bounds, points=[ideal], width_px=480, height_px=400)
    named = [note for note in drawn.layout.annotations if note.text.startswith("lower bound")]
    upright, level = named
    low, high = drawn.layout.yaxis.range
    assert upright.x == pytest.approx(1.09) and abs(upright.y - 4.25) / (high - low) * 328 > 14
    assert level.y == pytest.approx(4.25) and level.x > 1.3


def test_limits_shade_what_they_exclude_and_say_so():
    cloud = sample_cloud()
    figure = front_figure(dataclasses.replace(cloud, kept=cloud.x_values <= 1.5), "light", limits=[Limit("x", 1.5)])
    assert "excluded<br>latency > 1.50\u00a0s" in texts(figure)
    assert trace(figure, "excluded").x.min() > 1.5
    assert trace(figure, "dominated").x.max() <= 1.5
    assert trace(figure, "front").x.max() <= 1.5


def test_what_is_hidden_is_not_drawn():
    everything = ["dominated", "baselines", "bounds", "products", "knee"]
    figure = front_figure(sample_cloud(), "light", bounds=[Bound("y", 4.234, "lower bound")], hidden=everything)
    assert [t.name for t in figure.data] == ["front"]
    assert "lower bound" not in texts(figure) and "knee" not in texts(figure)


def test_the_selected_design_is_marked_with_lines_to_both_axes():
    cloud = sample_cloud()
    number = int(cloud.numbers[cloud.front[3]])
    figure = front_figure(cloud, "light", selected=number, selected_words="min EDP", hidden=["bounds", "products"])
    lines = [s for s in figure.layout.shapes if s.line.dash == "2px,2px"]
    assert len(lines) == 2 and lines[0].x1 == pytest.approx(cloud.x_values[cloud.front[3]])
    assert "<b>selected</b>  min EDP" in texts(figure)


def test_words_do_not_cover_each_other():
    cloud = sample_cloud()
    figure = front_figure(
        cloud, "light", selected=int(cloud.numbers[cloud.front[0]]), bounds=[Bound("y", 4.234, "lower bound")]
    )
    assert {"knee", "Simba NVDLA", "Simba Shi-diannao"} <= {note.text for note in figure.layout.annotations}


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


def test_ten_thousand_designs_are_drawn_small():
    figure = front_figure(sample_cloud(10_000), "light", selected=5)
    assert len(figure.to_json()) < 250_000


def test_lines_of_equal_product_are_drawn_for_energy_and_delay_only():
    assert "J·s" in texts(front_figure(sample_cloud(), "light"))
    other = dataclasses.replace(sample_cloud(), y=Quantity("area", "Area", "mm²", "minimise", "objective"))
    assert "J·s" not in texts(front_figure(other, "light"))
    assert (LATENCY.unit, ENERGY.unit) == ("s", "J")


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


def sample_cloud_over_decades() -> Cloud:
    x = np.geomspace(1.0, 100.0, 30)
    y = 10.0 / x**0.5
    return Cloud(
        Quantity("a", "A", "", "minimise", "objective"), Quantity("b", "B", "", "minimise", "objective"), x, y,
        np.arange(30), np.zeros(30, bool), [""] * 30,
    )  # fmt: skip


@pytest.mark.parametrize(("low", "high"), [(0.45, 1.2), (1.0, 900.0), (1e-6, 1e6), (3.0, 3.1)])
def test_logarithmic_ticks_are_round_and_few(low: float, high: float) -> None:
    ticks = log_ticks(low, high)
    assert 3 <= len(ticks) <= 13 and all(low <= tick <= high for tick in ticks)


def test_colour_and_size_follow_their_quantities() -> None:
    cloud = sample_cloud_over_decades()
    shade = Quantity("c", "C", "s")
    worse = dataclasses.replace(cloud, y_values=cloud.y_values * np.where(np.arange(30) % 2, 1.5, 1.0))
    coloured = dataclasses.replace(worse, colour=(shade, worse.x_values), size=(shade, worse.x_values))
    marker = next(trace for trace in front_figure(coloured, "dark").data if trace.name == "dominated").marker
    assert len(marker.color) == len(marker.size) == 15 and marker.showscale and marker.colorbar.title.text == "C (s)"
    assert list(marker.size) == sorted(marker.size)


def test_infeasible_designs_are_crosses_beside_the_front() -> None:
    cloud = dataclasses.replace(sample_cloud_over_decades(), infeasible=np.arange(30) < 10)
    assert min(cloud.front) == 10
    names = [trace.name for trace in front_figure(cloud, "light").data]
    assert "infeasible" in names
    assert "infeasible" not in [trace.name for trace in front_figure(cloud, "light", hidden=["infeasible"]).data]
