"""What a token may do: by its scope, its project and its time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from engines.contract.errors import ProblemError
from engines.documents import families
from tests.support.stored_runs import People
from webapp.api.models import ApiToken
from webapp.api.tokens import MOST_TOKENS, make_token, tokens_of
from webapp.runs.models import Run
from webapp.teams.models import Membership, Project
from webapp.teams.permissions import NotVisible

PROBLEM = {"engine": "toy", "project": "lab"}


def _client(people: People, **said: Any) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {make_token(people.owner, 'Laptop', **said)[1]}")
    return client


@pytest.mark.parametrize(
    ("scope", "codes"), [("read", (200, 403, 403, 403)), ("run", (200, 201, 200, 403)), ("write", (200, 201, 200, 204))]
)
def test_a_scope_lets_so_much_through(people: People, run: Run, scope: str, codes: tuple[int, ...]) -> None:
    client = _client(people, scope=scope)
    study = APIClient()
    study.force_login(people.owner)
    number = study.post("/api/v1/studies/", PROBLEM, format="json").json()["id"]
    found = (
        client.get(f"/api/v1/runs/{run.pk}/"),
        client.post("/api/v1/runs/", PROBLEM, format="json"),
        client.patch(f"/api/v1/runs/{run.pk}/", {"wish": "stop"}, format="json"),
        client.delete(f"/api/v1/studies/{number}/"),
    )
    assert tuple(answer.status_code for answer in found) == codes
    if scope == "read":
        assert "another scope. This one may only view" in found[1].json()["message"]


def test_a_scope_that_does_not_store_stores_nothing(people: People) -> None:
    answer = _client(people, scope="run").post(
        "/api/v1/documents/", {"content": _network(), "project": "lab"}, format="json"
    )
    assert answer.status_code == 403


def test_a_token_of_a_project_sees_that_project_alone(people: People, run: Run) -> None:
    other = Project.objects.create(slug="other", title="Other")
    Membership.objects.create(project=other, user=people.owner, role="maintainer")
    client = _client(people, project="other")
    assert [each["slug"] for each in client.get("/api/v1/projects/").json()] == ["other"]
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 404
    assert client.post("/api/v1/runs/", PROBLEM, format="json").status_code == 404
    assert client.post("/api/v1/runs/", {"engine": "toy"}, format="json").json()["project"] == "other"


def test_an_expired_token_is_refused(people: People) -> None:
    client = _client(people, expires=timezone.now() + timedelta(days=1))
    assert client.get("/api/v1/engines/").status_code == 200
    ApiToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
    answer = client.get("/api/v1/engines/")
    assert answer.status_code == 401 and "has expired" in answer.json()["message"]


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": "Laptop"}, "name"),
        ({"scope": "all"}, "scope"),
        ({"expires": timezone.now() - timedelta(seconds=1)}, "expires"),
    ],
)
def test_what_is_wrong_is_named(people: People, said: dict[str, Any], field: str) -> None:
    make_token(people.owner, "Laptop")
    with pytest.raises(ProblemError) as refused:
        make_token(people.owner, **({"name": "Other"} | said))
    assert refused.value.field == field and tokens_of(people.owner).count() == 1


def test_a_project_of_others_is_not_there(people: People) -> None:
    with pytest.raises(NotVisible):
        make_token(people.stranger, "Laptop", project="lab")


def test_there_is_an_end_to_how_many(people: People) -> None:
    for number in range(MOST_TOKENS):
        ApiToken.objects.create(user=people.owner, name=str(number), digest=str(number), hint="pts_")
    with pytest.raises(
        ProblemError, match=rf"must be one of at most {MOST_TOKENS} tokens per person\. .* End a token first\.$"
    ):
        make_token(people.owner, "Laptop")


def _network() -> dict[str, Any]:
    return dict(families.example(families.family_called("network"))) | {"slug": "my-own"}
