from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from engines.contract.results import (
    Band,
    Curve,
    Event,
    Matrix,
    Series,
    Threshold,
    Trace,
)  # fmt: skip
from frontend.figures import generic
from tests.frontend.figures.samples import RESULTS, TIME


def test_a_trace_has_one_panel_per_unit():
    figure = generic.trace_figure(RESULTS[2], "light")
    assert {trace.yaxis for trace in figure.data} == {"y", "y2"}
    assert any(shape.type == "line" and shape.yref == "paper" for shape in figure.layout.shapes)
    assert "budget 32.0\u00a0W" in {note.text for note in figure.layout.annotations}
    assert figure.layout.xaxis.title.text == "Time (min)"


def test_names_of_axis_events_and_stretches_have_rows_of_their_own():
    trace = RESULTS[2]
    for shown, rows in (
        (trace, 2),
        (dataclasses.replace(trace, bands=()), 1),
        (dataclasses.replace(trace, events=()), 1),
    ):
        figure = generic.trace_figure(shown, "light")
        shifts = {note.text: note.yshift or 0 for note in figure.layout.annotations}
        places = [shifts[words] for words in ("◆ switch", "calm") if words in shifts]
        assert places == [25 + 16 * row for row in range(rows)]
        assert figure.layout.margin.t == 30 + 16 * rows


def test_an_event_whose_name_has_no_room_is_told_where_pointed_at():
    end_s = float(RESULTS[2].time_s[-1])
    events = tuple(Event(share * end_s, f"a long name of a change at {share}") for share in (0.1, 0.2, 0.7))
    figure = generic.trace_figure(dataclasses.replace(RESULTS[2], events=events), "light")
    marks = {note.hovertext: note.text for note in figure.layout.annotations if note.text.startswith("◆")}
    assert list(marks) == [event.title for event in events]
    assert [words == "◆" for words in marks.values()] == [True, False, False]


def test_series_of_one_panel_differ_in_more_than_colour():
    figure = generic.trace_figure(RESULTS[2], "light")
    dashes = {trace.name: trace.line.dash for trace in figure.data if trace.name in ("adaptive", "static")}
    assert dashes["adaptive"] != dashes["static"]


def test_a_matrix_shows_its_values_in_one_unit():
    figure = generic.matrix_figure(RESULTS[5], "light")
    assert "MB" in figure.data[0].colorbar.title.text
    assert figure.data[0].z[1][2] == pytest.approx(5.0)


def test_many_columns_of_a_matrix_are_numbered_and_told_by_name_where_pointed_at():
    titles = tuple(f"stage1.{number}.mlp.conv1" for number in range(50))
    figure = generic.matrix_figure(Matrix("m", "M", ("one", "two"), titles, np.ones((2, 50)), "", "Share"), "light")
    assert list(figure.layout.xaxis.ticktext[:3]) == ["1", "5", "10"] and figure.layout.xaxis.tickvals[1] == 4
    assert figure.data[0].texttemplate is None
    assert figure.data[0].customdata[0][3] == "one, stage1.3.mlp.conv1"


def test_cells_of_a_matrix_have_equal_digits_and_counts_no_decimals():
    assert generic.matrix_figure(RESULTS[5], "light").data[0].texttemplate == "%{z:,d}"
    shares = dataclasses.replace(RESULTS[5], values=np.array([[20.0, 20.4, 1.0]] * 2), unit="")
    assert generic.matrix_figure(shares, "light").data[0].texttemplate == "%{z:.3r}"


def test_a_map_of_one_value_has_one_mark_on_its_colour_bar():
    flat = dataclasses.replace(RESULTS[5], values=np.full((2, 3), 3.0), unit="")
    bar = generic.matrix_figure(flat, "light").data[0].colorbar
    assert list(bar.ticktext) == ["3"] and list(bar.tickvals) == [3.0]


def test_a_distribution_counts_every_finite_value():
    figure = generic.distribution_figure(RESULTS[7], "light")
    assert int(np.sum(figure.data[0].y)) == 4
    assert "median 200\u00a0ms" in {note.text for note in figure.layout.annotations}


def test_names_of_lines_that_end_together_do_not_lie_over_each_other() -> None:
    x = np.arange(3.0)
    lines = (Series("Found", np.array([9.0, 4.0, 2.0]), "J"), Series("Bound", np.array([8.0, 3.0, 1.99]), "J"))
    notes = generic.curve_figure(
        Curve("c", "Energy", x, "Chiplets", "", lines, False), "light", height_px=280
    ).layout.annotations
    found, bound = (next(note for note in notes if note.text == series.title) for series in lines)
    assert found.yshift == 0
    assert bound.yshift < -10


def test_a_line_of_one_point_is_seen() -> None:
    curve = Curve("c", "Accuracy", np.array([1.0]), "Generation", "", (Series("Best", np.array([94.7]), "%"),), False)
    figure = generic.curve_figure(curve, "light", height_px=280)
    assert [trace.mode for trace in figure.data if trace.name == "Best"] == ["markers"]


def test_a_line_that_stays_level_has_ticks_that_differ_and_its_name_beside_it() -> None:
    level = Trace("t", "Accuracy", TIME, tuple(Series(name, np.full(300, 67.7), "%") for name in ("SBRS", "Static")))
    figure = generic.trace_figure(level, "light")
    low, high = figure.layout.yaxis.range
    assert high - low > 1.0 and low < 67.7 < high
    names = {note.text: note.yshift for note in figure.layout.annotations if note.text in ("SBRS", "Static")}
    assert names["SBRS"] == 0 and -14 < names["Static"] < -12


@pytest.mark.parametrize(("least", "mode"), [(0.0, "nonnegative"), (-0.1, None)])
def test_an_axis_of_what_is_never_negative_ends_at_zero(least: float, mode: str | None) -> None:
    lines = (Series("Power", np.linspace(1.0, least, 300), "W"), Series("At most", np.linspace(2.0, 0.0, 300), "W"))
    assert generic.trace_figure(Trace("t", "Power", TIME, lines), "light").layout.yaxis.rangemode == mode


def test_a_panel_of_several_lines_beside_others_is_named_after_the_first_of_them() -> None:
    x = np.arange(3.0)
    life, error, limit = (Series(*each) for each in (("Life", x, "h"), ("Error", x, "%"), ("Tolerance", x, "%")))
    figure = generic.curve_figure(Curve("c", "Longest life", x, "Tolerance", "%", (life, error, limit), False), "light")
    assert {"Life (h)", "Error (%)"} <= {note.text for note in figure.layout.annotations}


def test_names_at_the_ends_of_lines_keep_apart_where_a_limit_stretches_the_axis() -> None:
    lines = (Series("Data-driven", np.linspace(100, 66.8, 300), "%"), Series("SBRS", np.linspace(100, 64.1, 300), "%"))
    trace = Trace("t", "Charge", TIME, lines, (Threshold("Minimum", 10.0, "%"),))
    figure = generic.trace_figure(trace, "light")
    first, second = (next(note for note in figure.layout.annotations if note.text == line.title) for line in lines)
    # About 84 px for 10 to 100 %: the ends are 2.5 px apart.
    assert first.yshift - second.yshift > 9


def test_panels_of_a_low_picture_leave_room_for_the_name_between_them() -> None:
    lines = (Series("Charge", np.linspace(100.0, 0.0, 300), "%"), Series("Power", np.linspace(1.0, 0.0, 300), "W"))
    layout = generic.trace_figure(Trace("t", "Battery", TIME, lines), "light", height_px=280).layout
    plot_px = 280 - layout.margin.t - layout.margin.b
    assert (layout.yaxis.domain[0] - layout.yaxis2.domain[1]) * plot_px >= 33


def test_names_of_many_stretches_do_not_overlap_and_panels_keep_half_of_the_picture() -> None:
    units = ("W", "J", "s", "%", "m")
    lines = tuple(Series(f"Line {unit}", np.linspace(1.0, 0.0, 300), unit) for unit in units)
    each = (TIME[-1] - TIME[0]) / 200
    bands = tuple(Band(TIME[0] + each * at, TIME[0] + each * (at + 1), "Risky") for at in range(200))
    for height_px in (None, 260):
        trace = Trace("t", "Drive", TIME, lines, bands=bands)
        layout = generic.trace_figure(trace, "light", height_px=height_px).layout
        assert 3 < sum(note.text == "Risky" for note in layout.annotations) < 20
        panels = [layout[f"yaxis{number or ''}"].domain for number in ("", 2, 3, 4, 5)]
        assert sum(high - low for low, high in panels) >= 0.49


def test_bands_lie_below_all_lines_and_step_where_their_lines_do() -> None:
    time, low, high = np.arange(3.0), np.zeros(3), np.ones(3)
    series = (Series("Line", high, "W"), Series("Banded", high, "W", low, high, "step"))
    drawn = generic.trace_figure(Trace("power", "Power", time, series), "light")
    assert [each.line.width > 0 for each in drawn.data] == [False, False, True, True]
    assert [each.line.shape for each in drawn.data[:2]] == ["hv", "hv"] and drawn.data[1].fill == "tonexty"


def test_names_of_lines_over_a_logarithmic_axis_stand_at_their_ends():
    x = np.array([1e5, 1e7, 1e9])
    series = (Series("Package", np.array([3.0, 2.0, 1.0]), "USD"), Series("Die", np.array([9.0, 3.0, 0.5]), "USD"))
    layout = generic.curve_figure(Curve("c", "Cost", x, "Systems", "", series, x_log=True), "light").layout
    notes = layout.annotations
    assert layout.xaxis.range == (5.0, 9.0)  # names beyond the last point do not widen it
    # Plotly reads such places as powers of ten: 1e9 is at 9.
    assert {note.text: note.x for note in notes if note.text in ("Package", "Die")} == {"Package": 9.0, "Die": 9.0}


def test_a_curve_on_two_logarithmic_axes_names_its_series_in_a_legend() -> None:
    x = np.array([1.0, 10.0, 100.0])
    dot = Series("Decode", np.array([np.nan, 1e10, np.nan]), "OP/s", style="points")
    roof = Series("Roof", np.array([1e9, 1e10, 1e10]), "OP/s")
    drawn = generic.curve_figure(
        Curve("r", "Roofline", x, "Operations per byte", "OP/B", (roof, dot), x_log=True, y_log=True), "light"
    )
    assert drawn.layout.yaxis.type == drawn.layout.xaxis.type == "log" and drawn.layout.showlegend
    assert [each.mode for each in drawn.data] == ["lines", "markers"]
    assert drawn.layout.height > 280 and drawn.layout.margin.b > drawn.layout.height - 280
