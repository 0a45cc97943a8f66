"""The front over three and more quantities."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from engines.contract.quantities import Quantity
from frontend.figures.front.front_views import SELECTED, Many, matrix_drawing, parallel_drawing, space_drawing

QUANTITIES = (
    Quantity("latency_s", "Latency", "s", "minimise", "objective"),
    Quantity("energy_j", "Energy", "J", "minimise", "objective"),
    Quantity("accuracy", "Accuracy", "", "maximise", "objective"),
    Quantity("area_mm2", "Area", "mm²", "minimise", "metric"),
)


def many(count: int = 60, columns: int = 4, colour: bool = False) -> Many:
    random = np.random.default_rng(1)
    kinds = np.array(["baseline", "infeasible", "excluded", *["front"] * 5, *["dominated"] * (count - 8)])
    values = random.uniform(1, 2, (count, columns))
    shade = (QUANTITIES[3], values[:, 0]) if colour else None
    return Many(QUANTITIES[:columns], values, np.arange(100, 100 + count), kinds, ["Simba", *[""] * (count - 1)], shade)


def drawings(selected: int | None, colour: bool = False) -> list[tuple[list[dict[str, Any]], dict[str, Any]]]:
    return [
        space_drawing(many(columns=3, colour=colour), "light", selected, 330, "z", "r"),
        matrix_drawing(many(colour=colour), "dark", selected, (560, 330), "r"),
        parallel_drawing(many(colour=colour), "light", selected, (560, 330), "r"),
    ]


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("selected", [None, 103, 7])
def test_every_picture_is_one_that_plotly_draws(selected: int | None, colour: bool) -> None:
    for traces, layout in drawings(selected, colour):
        go.Figure(data=traces, layout=layout)
        assert [trace["name"] for trace in traces].count(SELECTED) == 1 and traces[-1]["name"] == SELECTED


def test_a_selection_changes_the_last_trace_only() -> None:
    for one, other in zip(drawings(103), drawings(104), strict=True):
        before, after = ([go.Figure(data=[trace]).to_json() for trace in traces] for traces, _ in (one, other))
        assert before[:-1] == after[:-1] and before[-1] != after[-1]


def test_parallel_axes_have_the_better_end_below() -> None:
    shown = many()
    traces, layout = parallel_drawing(shown, "light", 103, (560, 330), "r")
    line = np.asarray(traces[-1]["y"])[:4]
    row = shown.row_of(103)
    assert row is not None
    for at, (low, high) in enumerate(shown.spans):
        share = (shown.values[row, at] - low) / (high - low)
        assert line[at] == pytest.approx(1 - share if QUANTITIES[at].sense == "maximise" else share, abs=1e-6)
    names = [note["text"] for note in layout["annotations"] if note.get("yshift") == 12]
    assert names == ["Latency (s)", "Energy (J)", "Accuracy", "Area (mm²)"]


def test_a_baseline_far_out_does_not_squeeze_the_designs() -> None:
    shown = many()
    shown.values[0] = 1000.0
    assert max(high for _, high in shown.spans) < 2.1
    traces, _ = parallel_drawing(shown, "light", None, (560, 330), "r")
    far = next(np.asarray(trace["y"])[:4] for trace in traces if trace["name"] == "baseline")
    assert far.tolist() == [1.0, 1.0, 0.0, 1.0]  # at the ends of the axes, not beyond


def test_lines_of_many_designs_end_in_gaps() -> None:
    traces, _ = parallel_drawing(many(), "light", None, (560, 330), "r")
    lines = next(trace for trace in traces if trace["name"] == "dominated")
    assert len(lines["x"]) == 52 * 5 == len(lines["customdata"])
    assert np.isnan(np.asarray(lines["x"])[4::5]).all()


def test_names_of_axes_are_no_longer_than_their_room() -> None:
    long = [dataclasses.replace(each, title=f"{each.title} of the longest response of all") for each in QUANTITIES[:4]]
    given = dataclasses.replace(many(), quantities=tuple(long))
    _, layout = parallel_drawing(given, "light", None, (560, 330), "r")
    names = [note for note in layout["annotations"] if note.get("yshift") == 12]
    assert len(names) == 4 and all("<br>" in name["text"] for name in names)
    _, layout = matrix_drawing(given, "light", None, (560, 330), "r")
    assert all(layout[f"{letter}axis2"]["title"]["text"].count("<br>") == 1 for letter in "xy")


def test_infeasible_designs_in_space_have_a_mark_that_every_font_has() -> None:
    traces, _ = drawings(None)[0]
    assert next(trace for trace in traces if trace["name"] == "infeasible")["marker"]["symbol"] == "cross"


def test_many_lines_are_fainter() -> None:
    few, lots = (parallel_drawing(many(count), "light", None, (560, 330), "r")[0] for count in (60, 4000))
    faint = [next(t for t in traces if t["name"] == "dominated")["opacity"] for traces in (few, lots)]
    assert faint[1] < 0.1 * faint[0], "all of them together have no more ink than a few hundred"


@pytest.mark.parametrize("count", [1, 3000])
def test_equal_designs_are_drawn_within_axes_that_have_a_width(count: int) -> None:
    def equal(columns: int) -> Many:
        kinds, labels = np.array(["front"] * count), [""] * count
        return Many(QUANTITIES[:columns], np.full((count, columns), 0.0312), np.arange(count), kinds, labels, None)

    _, space = space_drawing(equal(3), "light", 0, 330, "xz", "r")
    _, matrix = matrix_drawing(equal(4), "dark", 0, (560, 330), "r")
    for axis in [space["scene"][f"{letter}axis"] for letter in "xyz"] + [matrix["xaxis"], matrix["yaxis3"]]:
        low, high = axis["range"]
        assert np.isfinite([low, high]).all() and high - low > 1e-3 * abs(high)
    traces, _ = parallel_drawing(equal(4), "light", 0, (560, 330), "r")
    assert all(value is None or 0 <= value <= 1 for trace in traces for value in trace["y"] if value == value)
