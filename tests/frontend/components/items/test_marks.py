"""Star and tags of a thing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User

from frontend.components.items.marks import marks_line, star_button, tag_chips
from webapp.annotations.marks import Marks


def text_of(component: Any) -> str:
    return json.dumps(component.to_plotly_json(), default=lambda part: part.to_plotly_json())


@pytest.mark.parametrize(("person", "star"), [(User(pk=1, username="ann"), True), (AnonymousUser(), False)])
def test_who_has_no_account_sees_the_tags_alone(person: Any, star: bool) -> None:
    shown = text_of(marks_line(person, "run", 3, Marks(("paper",)), editable=False))
    assert "paper" in shown and ('"aria-label": "Star"' in shown) == star and "Set tags" not in shown


def test_editors_can_set_tags() -> None:
    shown = text_of(marks_line(User(pk=1, username="ann"), "study", 3, Marks(star=True), editable=True))
    assert "Tags of this study" in shown and "Set tags" in shown


@pytest.mark.parametrize("given", [True, False])
def test_a_star_is_told_to_eyes_and_to_screen_readers(given: bool) -> None:
    button = star_button(given).to_plotly_json()["props"]
    assert button["aria-pressed"] == str(given).lower() and button["className"].endswith("on") == given


def test_a_tag_leads_to_all_that_have_it() -> None:
    (chip,) = tag_chips("run", ["for review"])
    assert "tag=for+review" in chip.href
