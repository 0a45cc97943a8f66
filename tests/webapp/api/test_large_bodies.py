"""Large bodies come one at a time, and nothing of them stays."""

from __future__ import annotations

import json

import pytest
from rest_framework.test import APIClient

from webapp.api import large_bodies
from webapp.api.large_bodies import LARGE_BYTES
from webapp.api.parsers import MOST_CONTAINERS, MOST_VALUES

PLAN = "/api/v1/plan/"
LARGE = json.dumps({"engine": "x" * LARGE_BYTES})


@pytest.mark.parametrize("kind", ["json", "yaml"])
def test_nothing_of_a_body_stays_with_its_request(client: APIClient, kind: str) -> None:
    answer = client.post(PLAN, LARGE, content_type=f"application/{kind}")
    request = answer.wsgi_request
    assert answer.status_code == 400 and request._body == b"" and request._stream.read() == b""
    assert vars(request.large_body) == {}, "the parsed one is gone as well"


def test_who_waits_too_long_for_a_turn_is_told_to_come_again(
    client: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_bodies, "TURN_S", 0.01)
    with large_bodies._turn:
        answer = client.post(PLAN, LARGE, content_type="application/json")
        assert answer.status_code == 503 and answer.headers["Retry-After"]
        assert client.post(PLAN, {"engine": "x"}, format="json").status_code == 400, "a small one waits for nothing"
    assert client.post(PLAN, LARGE, content_type="application/json").status_code == 400


@pytest.mark.parametrize("body", [b"[]," * (MOST_CONTAINERS + 1), b"1," * (MOST_VALUES + 1)])
def test_what_holds_too_many_values_is_not_parsed(client: APIClient, body: bytes) -> None:
    answer = client.post(PLAN, b"[" + body + b"0]", content_type="application/json")
    assert answer.status_code == 400 and f"at most {MOST_VALUES:,} values" in answer.json()["detail"]
