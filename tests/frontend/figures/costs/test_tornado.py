"""Tornadoes: bars from the value as given, and what stands at their ends."""

from __future__ import annotations

import numpy as np

from engines.contract.results import Sensitivity
from frontend.figures.costs.tornado import MOST_BARS, height_px, shown_rows, tornado_figure, tornado_sentence


def sensitivity(low: list[float], high: list[float]) -> Sensitivity:
    count = len(low)
    return Sensitivity(
        "s", "What a fifth does", "Cost", "USD", 10.0, tuple(f"Figure {n}" for n in range(count)), ("1/m²",) * count,
        np.full(count, 1600.0), np.full(count, 2000.0), np.full(count, 2400.0), np.array(low), np.array(high),
    )  # fmt: skip


def test_bars_reach_from_the_value_as_given_to_both_ends() -> None:
    figure = tornado_figure(sensitivity([8.0, 11.0], [13.0, 9.5]), "light", width_px=800)
    less, more = (trace for trace in figure.data if trace.type == "bar")
    assert less.base == more.base == 10.0
    assert list(less.x) == [-2.0, 1.0] and list(more.x) == [3.0, -0.5]
    low, high = figure.layout.xaxis.range
    assert low < 8.0 and high > 13.0


def test_what_is_tried_stands_at_the_outer_end_of_its_bar() -> None:
    figure = tornado_figure(sensitivity([8.0, 11.0], [13.0, 10.0]), "dark", width_px=800)
    less, more = (trace for trace in figure.data if trace.type == "scatter")
    assert [text.replace("\u00a0", " ").replace("\u2009", " ").strip() for text in less.text] == ["1 600 1/m²"] * 2
    assert list(less.textposition) == ["middle left", "middle right"]
    assert more.text[1] == ""  # this end is the value as given


def test_figures_that_move_nothing_are_not_drawn() -> None:
    assert shown_rows(sensitivity([8.0, 10.0], [13.0, 10.0])) == 1
    many = sensitivity([9.0] * 40, [11.0] * 40)
    assert shown_rows(many) == MOST_BARS
    assert height_px(many) > height_px(sensitivity([9.0], [11.0]))
    none = sensitivity([10.0], [10.0])
    tornado_figure(none, "light", width_px=300)
    assert "no value changes it" in tornado_sentence(none)


def test_the_sentence_has_the_value_and_what_moves_it_most() -> None:
    words = tornado_sentence(sensitivity([8.0], [13.0])).replace("\u00a0", " ")
    assert words == "Cost is 10.00 USD. Figure 0 changes it most: 8.000 USD with less of it, 13.00 USD with more."
