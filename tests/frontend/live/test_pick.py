"""What a pick brings: pictures, words and marks in one answer."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from frontend.ids.run import RunIds
from frontend.live.pick import PICK_PATH
from frontend.theme import TOKENS
from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run

VIEW: dict[str, Any] = {
    "axes": ["latency_s", "energy_j", ""],
    "x": [0.0, 1.0],
    "y": [0.0, 1.0],
    "count": 40,
    "traces": 5,
    "kind": "2d",
}
CHOICES = {"view": "2d", "x": "latency_s", "y": "energy_j"}


def pick(user: Any, run: Run, **asked: str) -> Any:
    client = Client()
    client.force_login(user)
    given = {"design": "3", "window": "0", "scheme": "light", "width": "1440", "height": "900", "by": "chiplets"}
    stores = {"view": json.dumps(VIEW), "choices": json.dumps(CHOICES)}
    return client.get(f"{PICK_PATH}{run.pk}", {**given, **stores, **asked})


def test_a_pick_brings_every_picture_and_says_what_they_belong_to(people: People, run: Run) -> None:
    answer = pick(people.viewer, run).json()
    assert {RunIds.GRID, RunIds.SCHEDULE} <= set(answer["figures"])
    assert answer["words"]["of"] == {"design": 3, "window": 0, "follow": False}
    assert "Design 0003" in answer["words"]["html"][RunIds.DESIGN_HEAD]
    said = answer["words"]["attributes"]
    assert said[RunIds.FRONT_SUMMARY]["aria-label"].endswith("selected: design 3.")
    assert [each["location"] for each in answer["front"]] == [["layout", "shapes"], ["layout", "annotations"]]


def test_its_template_comes_once_and_in_the_scheme_asked_for(people: People, run: Run) -> None:
    assert "template" not in pick(people.viewer, run).json()
    template = pick(people.viewer, run, scheme="dark", looks="1").json()["template"]
    assert template["layout"]["font"]["color"] in (TOKENS["dark"].text, TOKENS["dark"].text2)
    figures = pick(people.viewer, run).json()["figures"].values()
    assert not any("template" in figure["layout"] for figure in figures)


def test_a_pick_sends_no_point_of_the_front(people: People) -> None:
    run = finished_run(people, steps=2, designs_per_step=5000)
    front = pick(people.viewer, run).json()["front"]
    assert len(json.dumps(front)) < 20_000


def test_in_other_views_the_selected_design_is_a_trace_of_its_own(people: People, run: Run) -> None:
    for view in ("3d", "matrix", "parallel"):
        chosen = {**CHOICES, "view": view, "z": "edp_js"}
        asked = {"view": json.dumps({**VIEW, "kind": view}), "choices": json.dumps(chosen)}
        (change,) = pick(people.viewer, run, **asked).json()["front"]
        assert change["location"] == ["data", VIEW["traces"] - 1]


def test_a_front_that_is_still_under_way_gets_no_marks(people: People, run: Run) -> None:
    for asked in ({"view": ""}, {"view": "nonsense"}, {"view": json.dumps({**VIEW, "kind": "3d"})}):
        assert "front" not in pick(people.viewer, run, **asked).json()


def test_a_design_that_there_is_not_is_told(people: People, run: Run) -> None:
    for number in ("", "4000", "x"):
        answer = pick(people.viewer, run, design=number).json()
        assert "No design selected yet" in answer["words"]["html"][RunIds.WINDOWS]


def test_who_may_not_see_the_run_gets_nothing(people: People, run: Run) -> None:
    assert pick(people.stranger, run).status_code == 404
    assert Client().get(f"{PICK_PATH}{run.pk}").status_code == 401
