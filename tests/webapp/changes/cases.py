"""What tests of this folder share."""

from __future__ import annotations

from typing import Any

from django.test import Client

from tests.support.stored_runs import People
from webapp.changes.models import Change
from webapp.runs.models import Run


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def newest(**asked: Any) -> Change:
    return Change.objects.filter(**asked).order_by("-pk")[0]


def a_document() -> dict[str, Any]:
    return {"engine": "toy", "params": {"steps": 2}, "seed": 3, "title": "Toy run", "project": "lab"}


def start_over_rest(people: People, **headers: str) -> Run:
    client = Client() if headers else signed_in(people.owner)
    answer = client.post("/api/v1/runs/", a_document(), content_type="application/json", headers=headers)
    assert answer.status_code == 201, answer.content
    return Run.objects.get(pk=answer.json()["id"])
