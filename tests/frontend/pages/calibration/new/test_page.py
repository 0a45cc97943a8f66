"""The page that makes a calibration of measurements: its form, what it says of an answer, and saving."""

from __future__ import annotations

import json
from typing import Any

import pytest

from frontend.ids.calibrate import CalibrateIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.calibration.new.cases import ANSWER
from tests.support.stored_runs import People
from webapp.catalogue.models import Document


def save(ask: Ask, user: Any, title: str, project: str) -> str:
    values = {
        f"{CalibrateIds.SAVE}.n_clicks": 1, f"{CalibrateIds.ANSWER}.data": ANSWER,
        f"{CalibrateIds.TITLE}.value": title, f"{CalibrateIds.PROJECT}.value": project,
    }  # fmt: skip
    return json.dumps(ask(user, f"{CalibrateIds.SAVED}.children", values, f"{CalibrateIds.SAVE}.n_clicks").json())


def test_what_is_shown_is_saved_under_its_title(people: People, ask: Ask) -> None:
    assert "lab/my-board@1" in save(ask, people.owner, " My  board ", "lab")
    assert "Already there" in save(ask, people.owner, "My board", "lab")
    stored = Document.objects.get(slug="my-board")
    assert (stored.kind, stored.project.slug) == ("calibration", "lab")


@pytest.mark.parametrize(
    ("title", "project", "said"),
    [("  ", "lab", "title: must be 1 to 200"), ("Mine", "nowhere", "notice bad"), ("tx2 hadas", "lab", "no built-in")],
)
def test_what_cannot_be_saved_says_why(people: People, ask: Ask, title: str, project: str, said: str) -> None:
    assert said in save(ask, people.owner, title, project) and not Document.objects.exists()
