"""Traces of several runs on common axes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from engines.contract.results import Series, Threshold, Trace
from frontend.pages.compare.data import Strip
from frontend.pages.compare.traces import group_figures, trace_groups, traces_card
from frontend.theme import RUNS


def trace(end_s: float, high: float, name: str = "charge") -> Trace:
    times = np.linspace(0, end_s, 5)
    power = Series("Power", np.linspace(0, high, 5), "W")
    return Trace(
        name, name.title(), times, (power, Series("Charge", np.full(5, 80.0), "%")), (Threshold("Most", 2.0, "W"),)
    )


def strips(*traces: tuple[Trace, ...]) -> list[Strip]:
    runs = [SimpleNamespace(style=style, run=SimpleNamespace(pk=7), number=3, words="Design 3") for style in RUNS]
    return [Strip(side, traces=own) for side, own in zip(runs, traces, strict=False)]  # type: ignore[arg-type]


def graphs(component: Any) -> list[Any]:
    return [each for each in component._traverse() if type(each).__name__ == "Graph"]


def test_traces_of_one_name_share_time_and_scales() -> None:
    first, second = trace_groups(strips((trace(7200, 1.0), trace(60, 1.0, "heat")), (trace(3600, 4.0),), ()))
    assert (first.name, len(first.members), first.end_s) == ("charge", 2, 7200)
    assert first.spans["W"] == (-0.2, 4.2), "of both runs, with a twentieth of room"
    assert first.spans["%"] == (76.0, 84.0), "a constant has room as well"
    assert (second.name, len(second.members), second.spans["W"][1]) == ("heat", 1, 2.1), "the limit is shown too"


def test_every_run_has_a_figure_that_ends_with_the_latest() -> None:
    card = traces_card(strips((trace(7200, 1.0),), (trace(3600, 4.0),)), "light")
    assert card is not None
    ends = [tuple(graph.figure.layout.xaxis.range) for graph in graphs(card)]
    assert ends == [(0, 120), (0, 120)], "minutes, though the shorter one alone would be shown in them as well"
    assert [tuple(graph.figure.layout.yaxis.range) for graph in graphs(card)] == [(-0.2, 4.2)] * 2
    facts = [each for each in card._traverse() if getattr(each, "data-group", None)]
    assert [getattr(each, "data-letter") for each in facts] == ["A", "B"]
    figure = graphs(card)[1].figure
    assert {line.name: line.meta["unit"] for line in figure.data if line.meta} == {"Power": "W", "Charge": "%"}
    assert figure.layout.meta["time"] == {"start": 0.0, "end": 7200.0, "per_second": 1 / 60, "unit": "min", "marks": []}


def test_without_traces_there_is_no_card() -> None:
    assert traces_card(strips((), ()), "light") is None


def test_axes_of_a_group_begin_and_end_at_the_same_places() -> None:
    def named(title: str) -> Trace:
        times = np.linspace(0, 60, 5)
        lines = tuple(Series(f"{title} {at}", np.full(5, float(at)), "W") for at in (1, 2))
        return Trace("power", "Power", times, lines)

    group = trace_groups(strips((named("A"),), (named("A line with a long name"),)))[0]
    pictures = group_figures(group, "light", 60, 120)
    assert len({(picture.layout.margin.l, picture.layout.margin.r) for picture in pictures}) == 1


def test_every_line_of_a_run_has_the_colour_of_the_run() -> None:
    card = traces_card(strips((trace(60, 1.0),), (trace(60, 4.0),)), "light")
    assert card is not None
    for graph, style in zip(graphs(card), RUNS, strict=False):
        lines = {line.name: line.line.color for line in graph.figure.data if line.meta}
        assert lines == dict.fromkeys(("Power", "Charge"), style.colour["light"])
