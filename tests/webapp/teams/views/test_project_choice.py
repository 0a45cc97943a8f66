"""Choosing a project."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.support.stored_runs import People
from tests.webapp.teams.views.cases import signed_in
from webapp.teams.models import Project

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


def test_a_project_is_chosen_and_the_way_goes_back(people: People) -> None:
    client = signed_in(people.editor)
    back = client.post(
        "/accounts/project/", {"project": "lab"}, headers={"Referer": "http://testserver/runs/3?tab=log"}
    )
    assert back.url == "/runs/3?tab=log"
    elsewhere = client.post("/accounts/project/", {"project": "lab"}, headers={"Referer": "https://example.org/x"})
    assert elsewhere.url == "/"
    hidden = Project.objects.create(slug="hidden", title="Hidden")
    for person, slug in ((people.viewer, "lab"), (people.editor, hidden.slug), (people.editor, "none")):
        assert signed_in(person).post("/accounts/project/", {"project": slug}).status_code == 404
    assert client.get("/accounts/project/").status_code == 405
