"""One's own tokens over REST."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.api.models import ApiToken
from webapp.api.tokens import make_token
from webapp.teams.visibility import personal_project

URL = "/api/v1/tokens/"


def _with(text: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    return client


def test_a_session_makes_lists_and_ends(client: APIClient) -> None:
    asked = {"name": "Cluster", "scope": "run", "project": "lab", "expires": "2999-01-31T00:00:00Z"}
    made = client.post(URL, asked, format="json")
    assert made.status_code == 201
    text, token = made.json()["text"], made.json()["token"]
    assert {name: token[name] for name in asked} == asked and token["last_used"] is None
    assert _with(text).get(URL).json()[0]["name"] == "Cluster"
    assert text not in client.get(URL).content.decode()
    assert client.delete(f"{URL}{token['id']}/").status_code == 204
    assert _with(text).get(URL).status_code == 401


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": "x", "scope": "all"}, "scope"),
        ({"name": "x", "expires": "tomorrow"}, "expires"),
        ({"name": "x", "expires": "2999-01-31T00:00:00"}, "expires"),
        ({"name": "x", "user": 2}, "user"),
    ],
)
def test_a_refusal_names_the_field(client: APIClient, body: dict[str, object], field: str) -> None:
    answer = client.post(URL, body, format="json")
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_a_token_makes_none_and_ends_itself_alone(people: People) -> None:
    first, text = make_token(people.owner, "first")
    second, _ = make_token(people.owner, "second")
    assert _with(text).post(URL, {"name": "x"}, format="json").status_code == 403
    assert _with(text).delete(f"{URL}{second.pk}/").status_code == 403
    assert _with(text).delete(f"{URL}{first.pk}/").status_code == 204
    assert _with(text).get(URL).status_code == 401
    assert list(ApiToken.objects.values_list("name", flat=True)) == ["second"]


def test_tokens_of_others_are_not_there(people: People, client: APIClient) -> None:
    other, text = make_token(people.stranger, "x")
    assert client.get(URL).json() == [] and client.delete(f"{URL}{other.pk}/").status_code == 404
    assert client_of(people.stranger).get(URL).json()[0]["id"] == other.pk and _with(text).get(URL).status_code == 200


def test_a_token_of_one_project_sees_tokens_of_that_project_alone(people: People) -> None:
    """The names and projects of others would tell of what is not there for it."""
    make_token(people.owner, "everywhere")
    make_token(people.owner, "elsewhere", project=personal_project(people.owner).slug)
    _, text = make_token(people.owner, "here", project="lab")
    assert [each["name"] for each in _with(text).get(URL).json()] == ["here"]
