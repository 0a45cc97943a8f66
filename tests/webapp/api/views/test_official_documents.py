from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.catalogue.service import copy_of, list_documents, store_version
from webapp.teams.models import Membership

URL = "/api/v1/documents/hardware/board/official/"


@pytest.fixture
def root(people: People) -> Any:
    """An administrator who sees the project."""
    person = get_user_model().objects.create_superuser("root", password="root-has-a-password")
    Membership.objects.create(project=people.project, user=person, role="viewer")
    content = {**copy_of(people.owner, "hardware", "simba-3x3-nvdla"), "slug": "board"}
    store_version(people.owner, people.project, "hardware", content)
    return person


def decide(person: Any, wish: str, project: str, reason: str = "Because") -> Any:
    return client_of(person).post(URL, {"wish": wish, "project": project, "reason": reason}, format="json")


def offered(person: Any) -> list[str]:
    return [entry.name for entry in list_documents(person, "hardware") if not entry.builtin]


def test_administrators_promote_retire_and_offer_again(people: People, root: Any) -> None:
    made = decide(root, "promote", "lab")
    assert (made.status_code, made.json()["official"], made.json()["project"]) == (200, True, "official")
    assert offered(people.stranger) == ["official/board"]
    assert decide(root, "retire", "official").json()["retired"] is True
    assert offered(people.stranger) == []
    assert decide(root, "retire", "official").status_code == 400
    assert decide(root, "offer", "official").json()["retired"] is False


def test_nobody_else_does(people: People, root: Any) -> None:
    assert decide(people.owner, "promote", "lab").status_code == 403
    assert decide(people.stranger, "promote", "lab").status_code == 404
    assert decide(root, "promote", "lab", " ").json()["field"] == "reason"
    assert decide(root, "burn", "lab").json()["field"] == "wish"
    decide(root, "promote", "lab")
    assert decide(people.owner, "retire", "official").status_code == 403
