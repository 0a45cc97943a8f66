"""Box plots of repeated runs."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from engines.contract.quantities import Quantity
from frontend.figures.statistics.boxes import BoxGroup, boxes_figure, boxes_sentence, quartiles
from frontend.theme import RUNS

ENERGY = Quantity("energy_j", "Energy", "J", "minimise", "objective")
FIVE = BoxGroup("Five runs", [1.0, 2, 3, 4, 10], ["1", "2", "3", "4", "5"], RUNS[0])
TWO = BoxGroup("Two runs", [2.0, 4.0], ["1", "2"])
NO_RUNS = BoxGroup("No runs", [], [])


def test_quartiles_by_hand() -> None:
    assert quartiles([1, 2, 3, 4, 10]) == (2, 3, 4)
    assert quartiles([1, 2]) == (1.25, 1.5, 1.75)
    assert quartiles([7]) == (7, 7, 7)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boxes_from_five_runs_on_and_every_run_a_dot(scheme: Any) -> None:
    figure = boxes_figure([FIVE, TWO, NO_RUNS], ENERGY, scheme)
    go.Figure(figure.to_dict())
    boxes = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert [(box.x0, box.x1) for box in boxes] == [(2, 4)], "quartiles of five; of two there is no box"
    rules = [shape for shape in figure.layout.shapes if shape.x0 == shape.x1]
    assert [(rule.x0, (rule.y0 + rule.y1) / 2) for rule in rules] == [(3, 0), (3, 1)]
    whisker = next(shape for shape in figure.layout.shapes if shape.y0 == shape.y1)
    assert (whisker.x0, whisker.x1) == (1, 10)
    assert [len(trace.x) for trace in figure.data] == [5, 2]
    assert list(figure.layout.yaxis.ticktext) == ["A  Five runs", "Two runs", "No runs"]


def test_long_names_leave_room_for_the_picture() -> None:
    figure = boxes_figure([BoxGroup("A very long name of a group " * 5 + "B", [1.0], ["1"])], ENERGY, "light")
    shown = figure.layout.yaxis.ticktext[0]
    assert "…" in shown and shown.endswith("group B") and figure.layout.margin.l < 230


def test_the_sentence_has_every_group() -> None:
    words = boxes_sentence([FIVE, NO_RUNS], ENERGY)
    assert "Five runs: median 3.00\u00a0J, quartiles 2.00\u00a0J to 4.00\u00a0J, 5 runs" in words
    assert "No runs: no run has a value" in words
