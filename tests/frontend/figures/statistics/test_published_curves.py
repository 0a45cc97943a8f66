"""Published values that stand on curves: a panel per curve, gaps where ours has no number."""

from dataclasses import replace
from math import log10, nan

import plotly.graph_objects as go

from engines.reproduction.comparisons import Along, Comparison, compared
from frontend.figures.statistics.published_curves import curves_figure, is_curves


def _row(x: float, published: float, ours: float, curve: str = "mesh") -> Comparison:
    along = Along("Load", x, curve, "Latency (cycles)")
    row = Comparison(f"{curve} {x}", "", published, ours, "cycles", "predicted", "a-2024", "Table 1")
    return replace(row, along=along)


def test_a_panel_per_curve_with_shared_scales_and_gaps() -> None:
    found = compared([_row(0.2, 400.0, nan), _row(0.1, 30.0, 31.0), _row(0.1, 20.0, 21.0, "star")])
    assert is_curves(found)
    drawn = curves_figure(found, "light")
    go.Figure(drawn)  # validates
    ours, published, other, _ = drawn.data
    assert list(ours.x) == [0.1, 0.2] and list(ours.y) == [31.0, None] and list(published.y) == [30.0, 400.0]
    assert other.yaxis == "y2" and drawn.layout.yaxis.range == drawn.layout.yaxis2.range
    assert drawn.layout.yaxis.type == "log" and drawn.layout.yaxis.range[1] > log10(400.0)
    assert [note.text for note in drawn.layout.annotations] == ["mesh", "star"]


def test_values_by_themselves_are_no_curve() -> None:
    row = replace(_row(0.1, 1.0, 1.0), along=None)
    assert not is_curves(compared([row])) and not is_curves(compared([_row(0.1, 1.0, 1.0), replace(row, name="b")]))
