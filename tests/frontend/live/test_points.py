"""What a poll brings while a run is live."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from django.test import Client

from frontend.ids.run import RunIds
from frontend.live.state import STATE_PATH
from frontend.pages.run.run_reader import designs_of
from tests.support.stored_runs import People
from webapp.runs.models import Run


def poll(user: Any, run: Run, **asked: str) -> Any:
    client = Client()
    client.force_login(user)
    return client.get(f"{STATE_PATH}{run.pk}", {"x": "latency_s", "y": "energy_j", **asked}).json()


def values(packed: str) -> Any:
    return np.frombuffer(base64.b64decode(packed), "<f4")


def test_only_designs_that_are_new_cross_the_wire(people: People, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status="running")
    designs = designs_of(run)
    answer = poll(people.viewer, run, after="30")
    points = answer["points"]
    assert (points["count"], points["remain"]) == (40, 40) and set(points["numbers"]) <= set(range(30, 40))
    there = designs.columns["latency_s"][points["numbers"]]
    assert np.allclose(values(points["x"]), there)
    changed = bool((designs.front >= 30).any())
    assert ("front" in answer) == changed
    if changed:
        assert answer["front"]["order"] == designs.front.tolist()


def test_a_front_that_changed_brings_its_lists_where_they_are_wanted(people: People, run: Run) -> None:
    newest = int(designs_of(run).front.max())
    asked = {"after": str(newest), "rank": "energy_j"}
    assert "props" not in poll(people.viewer, run, **asked)
    answer = poll(people.viewer, run, lists=str(newest), **asked)
    assert set(answer["props"]) == {RunIds.PROGRESS} and answer["listed"] == 40
    assert answer["words"]["html"][RunIds.SHORT_LIST].startswith("<table")
    assert answer["best"] == designs_of(run).first_choice
    assert "props" not in poll(people.viewer, run, lists=str(newest + 1), **asked), "the front is as the lists tell"


def test_lists_that_were_not_asked_for_with_the_designs_are_brought_later(people: People, run: Run) -> None:
    """A slow run has no new designs for a while: lists of earlier ones would stand beside newer figures until then."""
    newest = int(designs_of(run).front.max())
    answer = poll(people.viewer, run, after="40", lists=str(newest))
    assert "points" not in answer and answer["listed"] == 40 and answer["best"] == designs_of(run).first_choice
    assert "listed" not in poll(people.viewer, run, after="40", lists="40")


def test_limits_hold_new_designs_back(people: People, run: Run) -> None:
    points = poll(people.viewer, run, after="1", limits="latency_s:0")["points"]
    assert points["remain"] == 0 and points["numbers"] == [] and points["count"] == 40


def test_nothing_is_sent_to_a_page_that_has_all_or_none_or_asks_nonsense(people: People, run: Run) -> None:
    for asked in ({"after": "40"}, {"after": "0"}, {"after": "x"}, {}, {"after": "3", "x": "nothing"}):
        assert "points" not in poll(people.viewer, run, **asked)
