from __future__ import annotations

from dataclasses import replace
from typing import Any

from frontend.pages.run.front.choices import Choices
from frontend.pages.run.front.controls import column_select, front_controls
from tests.frontend.pages.run.front.cases import designs

FLAT = Choices("2d", "latency_s", "energy_j", "latency_s")


def test_axes_and_lasso_stand_only_where_a_view_has_them() -> None:
    hidden = {}
    for view in ("2d", "3d", "matrix", "parallel"):
        axes, _, lasso, _ = front_controls(designs(8), replace(FLAT, view=view))
        hidden[view] = (axes.hidden, lasso.hidden)
    assert hidden == {"2d": (False, False), "3d": (False, True), "matrix": (True, True), "parallel": (True, True)}


def test_a_colour_may_be_none_and_an_axis_may_not() -> None:
    def values(name: str) -> list[str]:
        data: Any = column_select(designs(8), name, "latency_s", 100).data
        return [item["value"] for group in data for item in group.get("items", [group])]

    assert values("colour") == ["", "latency_s", "energy_j"] and values("x") == ["latency_s", "energy_j"]
