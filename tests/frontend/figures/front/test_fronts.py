"""The picture of several fronts."""

from __future__ import annotations

import base64
import dataclasses
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from frontend.figures.front.fronts import FrontSide, _thinned, chosen_designs, fronts_figure
from frontend.theme import RUNS
from tests.frontend.figures.samples import sample_cloud


def sides(count: int, designs: int = 400) -> list[FrontSide]:
    return [FrontSide(sample_cloud(designs, seed), RUNS[seed], 17 if seed else None) for seed in range(count)]


def names(figure: dict[str, Any]) -> list[str]:
    return [trace["name"] for trace in figure["data"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("count", [1, 2, 6])
def test_it_passes_plotlys_own_validation(scheme: Any, count: int) -> None:
    go.Figure(fronts_figure(sides(count), scheme, reference=(3.0, 5.0)))


def test_every_run_keeps_its_letter_marker_and_dash() -> None:
    figure = fronts_figure(sides(2), "light")
    fronts = {trace["name"]: trace for trace in figure["data"] if trace["name"].endswith("front")}
    assert set(fronts) == {"A front", "B front"}
    assert fronts["B front"]["marker"]["symbol"] == RUNS[1].symbol and fronts["B front"]["line"]["dash"] == RUNS[1].dash
    assert all(number.startswith("B ") for number in fronts["B front"]["customdata"])


def test_beyond_three_runs_the_clouds_go() -> None:
    assert "A dominated" in names(fronts_figure(sides(3), "light"))
    assert not any(name.endswith("dominated") for name in names(fronts_figure(sides(4), "light")))


def test_the_design_looked_at_is_marked_and_named() -> None:
    figure = fronts_figure(sides(2), "light")
    selected = [trace for trace in figure["data"] if trace["name"].endswith("selected")]
    assert [len(trace["customdata"]) for trace in selected] == [0, 1] and selected[1]["customdata"] == ["B 17"]
    words = [note["text"] for note in figure["layout"]["annotations"]]
    assert "<b>B</b> at 4.48\u00a0J" in words and selected[1]["marker"]["symbol"] == "triangle-up", (
        "it lies above the fronts"
    )
    best = dataclasses.replace(sides(1)[0], selected=int(sides(1)[0].cloud.numbers[sides(1)[0].cloud.front[0]]))
    inside = fronts_figure([best], "light")
    assert "<b>A</b>" in [note["text"] for note in inside["layout"]["annotations"]]
    assert inside["data"][-1]["marker"]["symbol"] == RUNS[0].symbol


def test_names_have_no_plate_that_hides_designs_and_stand_beside_the_whole_front() -> None:
    notes = fronts_figure(sides(1), "light")["layout"]["annotations"]
    assert notes and not any("bgcolor" in note for note in notes)
    long = np.arange(1000, dtype=np.int64)
    assert (len(_thinned(long)), _thinned(long)[0], _thinned(long)[-1]) == (200, 0, 999)
    assert _thinned(long[:5]).tolist() == [0, 1, 2, 3, 4]


def test_baselines_stand_once_with_their_names_and_what_lies_far_off_at_the_edge() -> None:
    both = sides(2)
    figure = fronts_figure(both, "light")
    marks = {trace["name"]: trace for trace in figure["data"] if trace["name"].startswith("baselines")}
    inside, edge = marks["baselines"], marks["baselines beyond the axes"]
    assert "Simba NVDLA" in inside["text"] and len(inside["x"]) + len(edge["x"]) == 4, "both runs have the same four"
    assert inside["customdata"][inside["text"].index("Simba NVDLA")] == "A 0", "a click picks it"
    low, high = figure["layout"]["xaxis"]["range"]
    assert all(low <= x <= high for x in inside["x"]), "what is near widens the axes"
    assert any("Standalone NVDLA at 3.74\u00a0s" in words for words in edge["text"])
    labels = list(both[1].cloud.labels)
    labels[0] = "Another"
    other = [both[0], dataclasses.replace(both[1], cloud=dataclasses.replace(both[1].cloud, labels=labels))]
    texts = [text for trace in fronts_figure(other, "light")["data"] for text in trace.get("text", [])]
    assert {"Simba NVDLA (A)", "Another (B)"} <= set(texts)


def test_on_logarithmic_axes_words_stand_at_their_marks() -> None:
    pair = [dataclasses.replace(side, selected=int(side.cloud.numbers[side.cloud.front[0]])) for side in sides(2)]
    figure = fronts_figure(pair, "light", log="xy")
    go.Figure(figure)
    low, high = figure["layout"]["xaxis"]["range"]
    assert figure["layout"]["xaxis"]["type"] == figure["layout"]["yaxis"]["type"] == "log"
    letter = next(note for note in figure["layout"]["annotations"] if note["text"] == "<b>A</b>")
    mark = next(trace for trace in figure["data"] if trace["name"] == "A selected")
    (at,) = np.frombuffer(base64.b64decode(mark["x"]["bdata"]), mark["x"]["dtype"])
    assert letter["x"] == pytest.approx(np.log10(at), abs=0.02) and low <= letter["x"] <= high
    marks = next(trace for trace in figure["data"] if trace["name"] == "baselines")
    assert all(10**low <= x <= 10**high for x in marks["x"])


def test_runs_without_designs_draw_nothing() -> None:
    empty = dataclasses.replace(sides(1)[0], cloud=sample_cloud(0))
    assert names(fronts_figure([empty], "light")) == ["baselines", "A selected"], "the baselines alone"


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_other_designs_are_the_last_traces_and_all_annotations(count: int) -> None:
    figure = fronts_figure(sides(count), "light", reference=(3.0, 5.0))
    other = [dataclasses.replace(side, selected=23) for side in sides(count)]
    wanted = fronts_figure(other, "light", reference=(3.0, 5.0))
    chosen = chosen_designs(other, "light", reference=(3.0, 5.0))
    assert chosen.first == len(figure["data"]) - count
    assert wanted["data"][: chosen.first] == figure["data"][: chosen.first]
    packed = [trace["customdata"] for trace in wanted["data"][chosen.first :]]
    assert [trace["customdata"] for trace in chosen.traces] == packed == [[f"{side.style.letter} 23"] for side in other]
    assert wanted["layout"]["annotations"] == list(chosen.annotations)
