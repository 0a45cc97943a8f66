from __future__ import annotations

from engines.why.composition import Part
from frontend.figures.costs.waterfall import waterfall_figure

PARTS = (Part("GPU", 3.0, 5.0), Part("DLA", 2.0, 1.5))


def test_beside_another_design_bars_are_changes_between_both_totals() -> None:
    bars = waterfall_figure(PARTS, "Design 1", "Baseline", "J", "light", better_is_less=True).data[0]
    assert list(bars.measure) == ["absolute", "relative", "relative", "total"]
    assert list(bars.x) == [6.5, -2.0, 0.5, 5.0]
    assert [text.replace("\u00a0", " ") for text in bars.text] == ["6.50 J", "−2.00 J", "+500 mJ", "5.00 J"]


def test_alone_the_parts_are_stacked_from_nothing() -> None:
    found = waterfall_figure(PARTS, "Design 1", "", "J", "dark")
    assert list(found.data[0].x) == [3.0, 2.0, 5.0]
    assert found.layout.xaxis.rangemode == "tozero"


def test_small_changes_between_large_values_are_seen_and_the_axis_says_that_it_is_cut() -> None:
    parts = (Part("GPU", 100.0, 101.0), Part("DLA", 2.0, 1.5))
    axis = waterfall_figure(parts, "Design 1", "Baseline", "J", "light", better_is_less=True).layout.xaxis
    assert "does not begin at 0" in axis.title.text
    assert 90 < axis.range[0] < 101.5 and axis.range[1] > 102.5
