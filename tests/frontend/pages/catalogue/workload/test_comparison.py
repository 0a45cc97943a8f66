"""The frame that comparisons on the page of a workload share."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dash import html

from frontend.pages.catalogue.workload.comparison import (
    ComparisonFrame,
    ComparisonView,
    choices_table,
    heat_width_px,
    labelled,
    no_heat,
    one_of,
    segments,
)

FRAME = ComparisonFrame("Best", "By unit", "Picked operation", "legend", "heat", "totals", "detail")


def plain(component: Any) -> Any:
    return json.loads(json.dumps(component, default=lambda each: each.to_plotly_json()))


def with_id(tree: Any, wanted: str) -> Any:
    """The properties of the component of that id."""
    found: list[Any] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("id") == wanted:
                found.append(node)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(tree)
    assert len(found) == 1, wanted
    return found[0]


def test_every_part_stands_under_its_id_and_every_card_has_a_name() -> None:
    view = ComparisonView([html.Span("says")], html.Div("map"), html.Div("sums"), html.Div("one"))
    tree = plain(FRAME.drawn(view, [html.I("control")], [html.I("picker")], [html.H3("Operation")]))
    for part, words in (("legend", "says"), ("heat", "map"), ("totals", "sums"), ("detail", "one")):
        assert f'"{words}"' in json.dumps(with_id(tree, part))
    assert with_id(tree, "detail")["aria-live"] == "polite"
    text = json.dumps(tree)
    assert all(f'"aria-label": "{title}"' in text for title in ("Best", "By unit", "Picked operation"))
    assert all(f'"{words}"' in text for words in ("control", "picker", "Operation"))


@pytest.mark.parametrize(("wrong", "tone"), [(True, "notice warn"), (False, "notice")])
def test_without_a_heat_map_the_reason_stands_there(wrong: bool, tone: str) -> None:
    text = json.dumps(plain(no_heat("No such clock", wrong=wrong)))
    assert "No such clock" in text and f'"className": "{tone}"' in text


def test_the_heat_map_fills_the_window_but_stays_readable() -> None:
    assert heat_width_px(1280) == 1280 - 294 and heat_width_px(100) == 480


def test_controls_can_be_told_apart_without_seeing_them() -> None:
    few = plain(segments("show", {"edp": "EDP", "energy": "Energy"}, "edp", "Shown metric"))["props"]
    assert few["aria-label"] == "Shown metric" and few["data"][1] == {"value": "energy", "label": "Energy"}
    many = plain(one_of("soc", [{"value": "a", "label": "A"}], "a", "Device", 210, nothingFoundMessage="None"))["props"]
    assert (many["aria-label"], many["nothingFoundMessage"], many["value"]) == ("Device", "None", "a")
    assert "Device" in json.dumps(plain(labelled("Device", html.I())))


def test_columns_with_a_head_are_numbers_and_the_best_row_stands_out() -> None:
    table = choices_table("Unit", ("Latency", ""), [["gpu", "1 ms", ""], ["dla", "2 ms", ""]], selected=1)
    text = json.dumps(plain(table))
    assert text.count('"r num"') == 3  # one head, two cells
    assert text.index('"sel"') > text.index("dla") > text.index("gpu")
