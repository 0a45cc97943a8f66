"""Measured designs in the picture of a front."""

from __future__ import annotations

import pytest

from frontend.figures.front.front_measurements import MeasuredMark, measured_traces, with_measured

ON_X = MeasuredMark(3, 0.005, 2.0, "x", 0.004, 0.0049, 0.0052, ["Latency 5.00 ms", "<b>a & b</b>"])
ALONE = MeasuredMark(4, 0.007, 1.0, "x", 0.006, None, None, [])


def test_marks_stand_in_shown_units_with_their_interval_and_a_line_to_the_prediction() -> None:
    link, points = measured_traces([ON_X, ALONE], 1e3, 1.0, "light")
    assert (points["x"], points["y"], points["customdata"]) == ([5.0, 7.0], [2.0, 1.0], [3, 4])
    assert points["error_x"]["array"] == pytest.approx([0.2, 0.0])
    assert points["error_x"]["arrayminus"] == pytest.approx([0.1, 0.0])
    assert "error_y" not in points and "&lt;b&gt;" in points["hovertext"][0] and points["mode"] == "markers"
    assert link["x"][:2] == [4.0, 5.0] and link["x"][2] is None
    assert measured_traces([], 1.0, 1.0, "dark") == []


def test_an_axis_grows_for_what_is_near_and_not_for_what_is_far() -> None:
    assert with_measured((0.0, 0.004), [ON_X], "y") == (0.0, 0.004)
    low, high = with_measured((0.0, 0.004), [ON_X], "x")
    assert low == 0.0 and high > 0.0052
    far = MeasuredMark(5, 1.0, 1.0, "x", 0.006, 0.9, 1.1, [])
    assert with_measured((0.0, 0.004), [far], "x") == (0.0, 0.004)


def test_places_have_symbols_and_are_named_at_one_design() -> None:
    marks = [
        MeasuredMark(number, x, 1.0, "x", 0.001, None, None, [], place, "AB"[place])
        for number, ends in ((1, (0.001, 0.002)), (2, (0.001, 0.005)))
        for place, x in enumerate(ends)
    ]
    points = measured_traces(marks, 1.0, 1.0, "light")[1]
    assert points["text"] == ["", "", "A", "B"] and points["marker"]["symbol"] == ["square", "x"] * 2
    assert points["mode"] == "markers+text"
    close = measured_traces(marks, 1.0, 1.0, "light", {"x": (0.0, 1.0), "y": (0.0, 2.0)})[1]
    assert set(close["text"]) == {""}
