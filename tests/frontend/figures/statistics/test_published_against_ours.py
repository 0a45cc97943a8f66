"""Published against ours: panels by unit, what cannot be drawn, ratios, ticks."""

from __future__ import annotations

from dataclasses import replace
from math import log10, nan

import plotly.graph_objects as go
import pytest

from engines.reproduction.comparisons import Comparison, compared
from frontend.figures.statistics.published_against_ours import (
    left_out,
    part_words,
    published_figure,
    published_sentence,
)


def a_row(name: str, published: float, ours: float, unit: str = "x", reading: str = "one") -> Comparison:
    return Comparison(name, reading, published, ours, unit, "predicted", "a-2024", "Table 1", None, "", "Table 1")


ROWS = [
    a_row("A", 2.0, 4.0),
    a_row("A", 2.0, 1.0, reading="two"),
    a_row("B", 10.0, nan, "ms"),
    a_row("C", 0.0, 1.0),
    a_row("D", 3.0, -1.0),
    a_row("E", nan, 3.0),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_panel_per_unit_with_published_ours_and_the_range_of_all_readings(scheme) -> None:
    drawn = published_figure(compared(ROWS), scheme)
    go.Figure(drawn)  # validates
    assert drawn.layout.xaxis.title.text == "ratio (×)" and drawn.layout.xaxis2.title.text == "ms"
    spread, link, ours, published = drawn.data[:4]
    assert list(spread.x) == [1.0, 4.0, None] and list(link.x) == [2.0, 4.0, None]
    assert list(ours.x) == [4.0] and list(published.x) == [2.0]
    assert list(drawn.data[6].x) == [] and list(drawn.data[7].x) == [10.0]
    assert [note.text for note in drawn.layout.annotations] == ["2.00\u00a0×", "–"]
    low, high = drawn.layout.xaxis.range
    assert low < log10(1.0) and high > log10(4.0)


def test_what_is_not_above_zero_or_not_printed_is_left_out_and_told() -> None:
    found = compared(ROWS)
    assert left_out(found) == 3
    assert (
        published_sentence(found)
        == "2 published values, 3 more are not drawn; computed over published from 2.00 to 2.00."
    )
    assert "not available yet" in published_sentence(compared([a_row("B", 10.0, nan)]))


@pytest.mark.parametrize(("low", "high"), [(18.0, 42.0), (0.003, 900.0), (1.0, 1.01), (95.0, 105.0), (0.5, 20.0)])
def test_every_axis_has_some_ticks_and_not_too_many(low: float, high: float) -> None:
    ticks = published_figure(compared([a_row("A", low, high)]), "light").layout.xaxis.tickvals
    assert 3 <= len(ticks) <= 7 and list(ticks) == sorted(ticks)


def test_both_ends_of_a_published_range_are_drawn() -> None:
    row = replace(a_row("A", 20.0, 99.0, "%"), published_high=50.0)
    drawn = published_figure(compared([row]), "light")
    published = drawn.data[3]
    assert list(published.x) == [20.0, 50.0] and list(published.y) == [0, 0]
    assert published.customdata[1][1] == "20.0 to 50.0 %"


def test_long_names_keep_both_ends() -> None:
    name = "Scenarios 6 to 10, EDP that the better heterogeneous package saves: mean over both Simba packages"
    (shown,) = published_figure(compared([a_row(name, 1.0, 2.0)]), "light").layout.yaxis.ticktext
    assert shown.startswith("Scenarios 6") and shown.endswith("Simba packages") and " … " in shown


def test_parts_stand_on_the_line_of_their_whole_below_zero_too() -> None:
    whole = a_row("A", 70.0, 20.0, "%")
    parts = [
        replace(a_row(f"A at {word}", nan, ours, "%"), part_of=("A", word))
        for word, ours in (("10 W", 55.0), ("15 W", -15.0))
    ]
    found = compared([whole, *parts])
    drawn = published_figure(found, "light")
    go.Figure(drawn)  # validates
    assert part_words(found) == ("10 W", "15 W") and left_out(found) == 0
    assert drawn.layout.xaxis.type != "log" and drawn.layout.xaxis.range[0] < -15 < 70 < drawn.layout.xaxis.range[1]
    marks = drawn.data[-1]
    assert list(marks.x) == [55.0, -15.0] and list(marks.y) == [0, 0] and len(set(marks.marker.symbol)) == 2
