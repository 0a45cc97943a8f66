from __future__ import annotations

from itertools import pairwise

import numpy as np

from engines.contract.results import Breakdown
from frontend.figures.costs.breakdown import breakdown_figure
from frontend.figures.costs.profile import MOST_LYING_BARS
from frontend.figures.drawing import text_width
from frontend.figures.summary import breakdown_sentence


def layers(count: int) -> Breakdown:
    bars = tuple(
        f"Net{'AB'[number % 2 if count < 3 else number * 2 // count]} {number + 1} (C{number % 3})"
        for number in range(count)
    )
    return Breakdown("layer-time", "Time by layer", bars, ("Compute", "Memory"), np.ones((count, 2)) * 1e-3, "s")


def test_many_bars_stand_as_a_profile_in_groups() -> None:
    picture = breakdown_figure(layers(60), "light")
    # An area per part, however many layers there are.
    assert [trace.stackgroup for trace in picture.data] == ["parts", "parts"]
    assert list(picture.data[0].x[:3]) == [0.5, 1, 2] and picture.data[0].x[-1] == 60.5
    assert picture.data[0].customdata[1] == "NetA 1 (C0)"
    np.testing.assert_allclose(picture.data[0].y, 1.0)
    assert list(picture.layout.xaxis.ticktext) == ["NetA", "NetB"]
    (rule,) = (shape for shape in picture.layout.shapes if shape.type == "line")
    assert rule.x0 == 30.5
    assert picture.layout.annotations[0].text == "Time by layer (ms)"


def test_few_bars_lie_down() -> None:
    picture = breakdown_figure(layers(MOST_LYING_BARS), "dark")
    assert picture.data[0].orientation == "h"


def test_many_bars_are_summed_up_in_words() -> None:
    words = breakdown_sentence(layers(60))
    assert words.startswith("Time by layer: 60 bars, together 120\u00a0ms; largest NetA 1 (C0) 2.00\u00a0ms")
    assert len(words) < 300


def test_its_name_stands_above_the_key_and_the_unit_alone_beside_it() -> None:
    named, plain = (breakdown_figure(layers(60), "light", named=each).layout for each in (True, False))
    assert plain.annotations[0].text == "ms" and plain.margin.t < named.margin.t
    title, keys = named.annotations[0], [note for note in named.annotations if note.text in ("Compute", "Memory")]
    assert all(title.yshift - key.yshift > 12 for key in keys)


def test_words_below_the_axis_keep_apart_in_a_narrow_column() -> None:
    networks = (("GPT-2 L", 30), ("BERT-L", 22), ("U-Net", 20), ("GPT-2 L", 60))
    bars = tuple(f"{model} {layer}" for model, layers in networks for layer in range(layers))
    breakdown = Breakdown("time", "Time by layer", bars, ("Compute",), np.ones((len(bars), 1)), "s")
    for width in (230, 300, 460, 1200):
        axis = breakdown_figure(breakdown, "light", width_px=width).layout.xaxis
        room = (width - 74) / len(bars)
        named = [
            (at * room, text_width(words, 11)) for at, words in zip(axis.tickvals, axis.ticktext, strict=True) if words
        ]
        for (left, wide), (right, other) in pairwise(named):
            assert right - left >= (wide + other) / 2
    assert len(named) == 4, "all have room in a wide picture"
