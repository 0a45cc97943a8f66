"""The front's picture and what a selection changes of it."""

from __future__ import annotations

import base64
import json

import numpy as np
import plotly.graph_objects as go

from frontend.designs.run_designs import RunDesigns
from frontend.figures.front.front_parts import View
from frontend.pages.run.front.picture import (
    MOST_POINTS,
    cloud_of,
    drawn_front,
    front_summary,
    reference_points,
    selection_patch,
    selection_words,
    shown_numbers,
)
from tests.frontend.pages.run.front.cases import QUANTITIES, designs, request


def test_designs_that_arrive_have_the_last_trace() -> None:
    for hidden in ((), ("dominated", "baselines", "products")):
        assert drawn_front(designs(60), request(selected=2, hidden=hidden))["data"][-1]["meta"] == "arrived"


def test_the_picture_is_the_one_that_plotly_would_make() -> None:
    plain = drawn_front(designs(3000), request(selected=2))
    through_plotly = go.Figure(plain).to_plotly_json()
    json.dumps(plain)
    assert [trace.get("name") for trace in through_plotly["data"]] == [trace.get("name") for trace in plain["data"]]
    cloud = next(trace for trace in plain["data"] if trace.get("name") == "dominated")
    assert len(base64.b64decode(cloud["x"]["bdata"])) == 4 * len(cloud["customdata"])
    assert all(isinstance(number, int) for number in cloud["customdata"])


def test_a_selection_sends_marks_and_touches_no_trace() -> None:
    many = designs(10_000)
    operations = selection_patch(many, request(selected=2, seen=60)).to_plotly_json()["operations"]
    assert [item["location"] for item in operations] == [["layout", "shapes"], ["layout", "annotations"]]
    circles = [shape for shape in operations[0]["params"]["value"] if shape["type"] == "circle"]
    assert [circle["xanchor"] for circle in circles] == [many.columns["latency_s"][2]] * 2
    assert len(json.dumps(operations, default=list)) < 20_000


def test_at_most_twenty_thousand_points_with_front_and_baselines_among_them() -> None:
    many = designs(MOST_POINTS + 5000)
    numbers = shown_numbers(many)
    assert len(numbers) == MOST_POINTS
    assert set(many.front.tolist()) | {3} <= set(numbers.tolist())
    assert (shown_numbers(many) == numbers).all()


def test_words_for_those_who_do_not_see_it() -> None:
    many = designs(50)
    best = many.best("latency_s")
    assert f"(design {best})" in front_summary(many, 50, None)
    assert "12 meet the constraints; selected: design 4." in front_summary(many, 12, 4)
    assert front_summary(RunDesigns.empty(QUANTITIES, "latency_s"), 0, None) == "Pareto front: no designs yet."
    assert selection_words(many, best, live=True) == "min latency so far"
    assert selection_words(many, None, live=False) == ""


def test_the_selected_design_is_drawn_though_the_sample_leaves_it_out() -> None:
    many = designs(MOST_POINTS + 5000)
    left_out = int(np.setdiff1d(np.arange(len(many)), shown_numbers(many))[0])
    assert left_out in cloud_of(many, request(selected=left_out)).numbers


def test_the_sample_follows_the_filter() -> None:
    many = designs(3 * MOST_POINTS)
    limits = {"latency_s": 1.2}
    kept = many.remaining(limits)
    drawn = cloud_of(many, request(limits=limits))
    assert len(drawn.numbers) == MOST_POINTS and drawn.kept is not None
    # A fifth passes: all of them are drawn, and what is left of the room shows what does not.
    assert drawn.kept.sum() == kept.sum()
    again = shown_numbers(many, kept, 2000)
    assert len(again) == 2000 and 0.85 < kept[again].mean() < 0.95


def test_what_is_not_drawn_lies_in_a_picture_behind() -> None:
    many = designs(MOST_POINTS + 10)
    view = View((1.0, 2.0), (4.0, 5.0))
    layout = drawn_front(many, request(view=view))["layout"]
    image = layout["images"][0]
    assert image["source"].startswith("data:image/png;base64,") and (image["x"], image["sizex"]) == (1.0, 1.0)
    assert drawn_front(designs(100), request(view=view))["layout"]["images"] == []
    assert drawn_front(many, request(view=view, hidden=("dominated",)))["layout"]["images"] == []


def test_ideal_nadir_and_reference_point_are_those_of_the_front() -> None:
    many = designs(500)
    front = many.front
    points = {point.kind: (point.x, point.y) for point in reference_points(many, request(reference=(2.5, 5.5)))}
    latency, energy = many.columns["latency_s"][front], many.columns["energy_j"][front]
    assert points["ideal"] == (latency.min(), energy.min())
    assert points["nadir"] == (latency.max(), energy.max())
    assert points["reference point"] == (2.5, 5.5)
