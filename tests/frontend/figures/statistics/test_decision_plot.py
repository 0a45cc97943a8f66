from __future__ import annotations

import numpy as np

from engines.contract.quantities import Quantity
from engines.search.decision_features import Feature
from frontend.figures.statistics.decision_plot import MOST_WORDS, decision_figure

LATENCY = Quantity("latency_s", "Latency", "s", "minimise", "objective")


def drawn(*values: float | str | None):
    numbers = np.arange(len(values))
    given = np.linspace(0.1, 0.2, len(values))
    return decision_figure(Feature("Unit", tuple(values), "MHz"), LATENCY, given, numbers, frozenset({1}), "dark")


def test_numbers_stand_on_an_axis_and_designs_of_the_front_apart() -> None:
    picture = drawn(500.0, 900.0, None)
    assert picture.data[1].x.tolist() == [900.0]
    assert [row[0] for row in picture.data[1].customdata] == [1]
    assert picture.layout.xaxis.title.text == "Unit (MHz)"


def test_words_stand_side_by_side_and_rare_ones_together() -> None:
    picture = drawn(*[f"unit {n:02}" for n in range(20)])
    assert len(picture.layout.xaxis.ticktext) == MOST_WORDS + 1
    assert picture.layout.xaxis.ticktext[-1] == "other"
    assert max(abs(x - round(x)) for trace in picture.data for x in trace.x) < 0.4
