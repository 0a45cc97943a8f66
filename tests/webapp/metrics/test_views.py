"""`/metrics` as Prometheus reads it."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from tests.support.stored_runs import make_people

TOKEN = "a-token-for-tests"


@pytest.fixture
def opened(settings: Any) -> None:
    settings.PARETOSCOPE_METRICS_TOKEN = TOKEN


def read(client: Client | None = None) -> dict[tuple[str, ...], float]:
    """(name, values of labels in order of their names) -> value."""
    answer = (client or Client()).get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    samples = [s for family in text_string_to_metric_families(answer.content.decode()) for s in family.samples]
    return {(s.name, *(s.labels[key] for key in sorted(s.labels))): s.value for s in samples}


@pytest.mark.parametrize("given", [{}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {TOKEN}"}])
def test_without_a_token_in_the_settings_there_is_no_such_page(given: dict[str, str], db: None) -> None:
    answer = Client().get("/metrics", headers=given)
    assert answer.status_code == 404 and b"paretoscope_" not in answer.content


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Token {TOKEN}", TOKEN, "Bearer ä"])
def test_no_other_token_opens_it_nor_does_any_account(opened: None, db: None, given: str) -> None:
    client = Client()
    client.force_login(make_people().owner)
    answer = client.get("/metrics", headers={"Authorization": given} if given else {})
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == "Bearer"
    assert b"paretoscope_" not in answer.content


def test_it_takes_no_posts(opened: None, db: None) -> None:
    assert Client().post("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 405


def test_requests_are_counted_by_view_and_status(opened: None, db: None) -> None:
    client = Client()
    before = read(client)
    for path in ("/livez", "/accounts/none", "/livez"):
        client.get(path)
    client.post("/_dash-update-component", data="{}", content_type="application/json")
    client.post("/livez")
    after = read(client)

    def more(status: str, view: str, name: str = "paretoscope_request_seconds_count") -> float:
        return after.get((name, status, view), 0) - before.get((name, status, view), 0)

    assert more("200", "livez") == 2 and more("405", "livez") == 1
    assert more("404", "webapp.site.unknown_addresses.missing") == 1
    assert more("401", "callback") == 1
    assert more("200", "metrics") == 1, "the answer at hand is not counted yet"
    assert 0 < more("200", "livez", "paretoscope_request_seconds_sum") < 60


def test_requests_are_told_where_the_database_is_away(opened: None, db: None) -> None:
    with patch("webapp.metrics.runs.worker_summary", side_effect=OperationalError("no such host: db.internal")):
        read()
        found = read()
    assert found["paretoscope_database_up",] == 0 and not any(key[0] == "paretoscope_runs" for key in found)
    assert found["paretoscope_request_seconds_count", "200", "metrics"] >= 1
    assert read()["paretoscope_database_up",] == 1
