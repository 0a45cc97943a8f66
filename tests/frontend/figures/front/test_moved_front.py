from __future__ import annotations

import numpy as np
import pytest

from engines.contract.quantities import Quantity
from frontend.figures.front.moved_front import GhostFront, moved_front_figure

X = Quantity("latency_s", "Latency", "s", "minimise", "objective")
Y = Quantity("energy_j", "Energy", "J", "minimise", "objective")
STORED = {"latency_s": np.array([0.5, 0.25]), "energy_j": np.array([1.0, 2.0])}


def test_before_anything_is_moved_there_are_only_ghosts() -> None:
    figure = moved_front_figure(GhostFront(X, Y, [4, 7], STORED, None, None, {}), "light")
    assert [trace["name"] for trace in figure["data"]] == ["as stored"]
    assert figure["layout"]["xaxis"]["title"]["text"] == "Latency (ms)"


def test_the_selected_design_goes_from_its_ghost_to_where_it_is_moved_with_its_certainty() -> None:
    moved = {"latency_s": np.array([0.4, np.nan]), "energy_j": np.array([1.0, np.nan])}
    values = ({"latency_s": 0.5, "energy_j": 1.0}, {"latency_s": 0.4, "energy_j": 1.0})
    front = GhostFront(X, Y, [4, 7], STORED, moved, (4, *values), {"latency_s": 1.25})
    selected = moved_front_figure(front, "dark")["data"][-1]
    assert list(selected["x"]) == [500.0, 400.0]
    assert selected["error_x"]["array"][1] == pytest.approx(100.0)
    assert selected["error_x"]["arrayminus"][1] == pytest.approx(80.0)
    assert "error_y" not in selected
