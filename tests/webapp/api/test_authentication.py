from __future__ import annotations

from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.tokens_for_tests import make, status
from webapp.api.models import ApiToken


def test_it_lets_the_token_in(people: People) -> None:
    _, text = make(people)
    assert (status(text), status(text, "Bearer"), status(text, "token")) == (200, 200, 200)
    assert ApiToken.objects.get().last_used is not None


def test_it_refuses_other_tokens(people: People) -> None:
    _, text = make(people)
    for wrong in ("", "pts_x", text[:-1], text + "x", text.upper()):
        assert status(wrong) == 401
    answer = APIClient().get("/api/v1/engines/", headers={"Authorization": "Token pts_x"})
    assert answer.json()["message"].startswith("This token is not valid")
    assert answer.headers["WWW-Authenticate"].startswith("Token")
    people.owner.is_active = False
    people.owner.save()
    assert status(text) == 401


def test_a_session_needs_a_csrf_token(people: People) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(people.owner)
    answer = client.post("/api/v1/plan/", {"engine": "toy"}, format="json")
    assert answer.status_code == 403 and "CSRF" in answer.json()["message"]
