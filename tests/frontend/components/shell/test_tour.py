"""The tour: where it leads, and who is led."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from frontend.components.shell.tour import first_results, tour, tour_steps
from tests.frontend.conftest import *  # noqa: F403  (people and their run)
from tests.support.stored_runs import People


def test_it_leads_from_home_to_a_run_its_front_a_design_and_a_comparison() -> None:
    paths = [step.path for step in tour_steps(7)]
    assert paths == ["/", "/runs/7", "/runs/7", "/runs/7", "/runs/7", "/compare?runs=7", "/new", "/new"]
    assert tour_steps(7, 9)[5].path == "/compare?runs=7,9", "two runs where there are two"
    places = [step.place for step in tour_steps(7)]
    assert places.index("#run-front") < places.index("#run-grid") < places.index("#compare-add")
    assert [step.path for step in tour_steps(None)] == ["/", "/new", "/new"]


def test_it_takes_two_minutes() -> None:
    """Two hundred words a minute are read with ease."""
    words = sum(len(f"{step.title} {step.words}".split()) for step in tour_steps(1))
    assert words <= 400


@pytest.mark.django_db
def test_it_shows_a_run_that_the_reader_may_see(people: People, run: Any) -> None:
    assert first_results(people.viewer) == [run.pk]
    assert first_results(people.stranger) == [] == first_results(AnonymousUser())
    steps = json.loads(getattr(tour(people.viewer), "data-steps"))
    assert steps[1]["path"] == f"/runs/{run.pk}"
