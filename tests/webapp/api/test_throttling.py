from __future__ import annotations

import time
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.tokens_for_tests import status
from webapp.api.throttling import PrincipalThrottle, SignedOutThrottle
from webapp.api.tokens import make_token


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Token pts_x"}], ids=["no token", "a wrong one"])
def test_requests_that_nobody_is_signed_in_for_are_counted(headers: dict[str, str], people: People) -> None:
    client = APIClient()
    codes = [client.get("/api/v1/engines/", headers=headers, REMOTE_ADDR="192.0.2.1").status_code for _ in range(61)]
    assert codes == [401] * 60 + [429]
    answer = client.get("/api/v1/engines/", headers=headers, REMOTE_ADDR="192.0.2.1")
    assert int(answer.headers["Retry-After"]) > 0 and answer.json()["message"]
    assert client.get("/api/v1/engines/", headers=headers, REMOTE_ADDR="192.0.2.2").status_code == 401
    spoofed = {**headers, "X-Forwarded-For": "192.0.2.3"}
    assert client.get("/api/v1/engines/", headers=spoofed, REMOTE_ADDR="192.0.2.1").status_code == 429


def test_the_address_is_the_one_that_the_proxy_saw(settings: Any, people: People) -> None:
    settings.PARETOSCOPE_PROXIES = 1
    client = APIClient()
    for number in range(61):
        headers = {"X-Forwarded-For": f"10.0.0.{number}, 192.0.2.1"}
        answer = client.get("/api/v1/engines/", headers=headers, REMOTE_ADDR="127.0.0.1")
    assert answer.status_code == 429
    other = {"X-Forwarded-For": "192.0.2.9"}
    assert client.get("/api/v1/engines/", headers=other, REMOTE_ADDR="127.0.0.1").status_code == 401


def test_every_token_is_counted_for_itself_and_told(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PrincipalThrottle, "rate", "2/minute", raising=False)
    first, second = (make_token(people.owner, name)[1] for name in ("first", "second"))
    codes = [status(text) for text in (first, first, first, second)]
    assert codes == [200, 200, 429, 200]
    answer = APIClient().get("/api/v1/engines/", headers={"Authorization": f"Token {second}"})
    told = {name: int(answer.headers[f"RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")}
    assert (told["Limit"], told["Remaining"]) == (2, 0) and 0 < told["Reset"] <= 60
    refused = APIClient().get("/api/v1/engines/", headers={"Authorization": f"Token {second}"})
    assert refused.status_code == 429 and refused.headers["RateLimit-Remaining"] == "0"


def test_nobody_is_shut_out_for_longer_after_the_clock_was_set_back(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is counted lies on a clock that is never set."""
    monkeypatch.setattr("time.time", lambda at=time.time: at() + 3600.0)
    client = APIClient()
    codes = [client.get("/api/v1/engines/", REMOTE_ADDR="192.0.2.7").status_code for _ in range(61)]
    monkeypatch.undo()
    assert codes[-1] == 429
    monkeypatch.setattr(SignedOutThrottle, "timer", lambda self: time.monotonic() + 61.0)
    assert client.get("/api/v1/engines/", REMOTE_ADDR="192.0.2.7").status_code == 401


def test_who_is_not_signed_in_is_told_nothing_of_it(people: People) -> None:
    assert "RateLimit-Limit" not in APIClient().get("/api/v1/engines/").headers
