"""The health check."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now
from django.test import Client

from webapp.api.models import LastWrite
from webapp.api.views import health
from webapp.runs.models import WorkerBeat


def test_it_is_open_and_counts_workers(db: None) -> None:
    WorkerBeat.objects.create(name="one", seen=Now(), slots=2, busy=1)
    answer = Client().get("/health/")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["status"], body["workers"], body["busy"]) == ("ok", 1, 1) and body["database"] in (
        "sqlite",
        "postgresql",
    )


def test_it_is_down_without_a_database(db: None) -> None:
    with patch("webapp.api.views.health.worker_summary", side_effect=OperationalError("no such host: db.internal")):
        answer = Client().get("/health/")
    assert answer.status_code == 503
    assert answer.json() == {"status": "down", "database": "OperationalError", "workers": None}


def test_it_takes_no_posts(db: None) -> None:
    assert Client().post("/health/").status_code == 405


def test_a_process_that_answers_lives_whatever_the_database_does(django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0):
        assert Client().get("/livez").json() == {"status": "ok"}
    assert Client().post("/livez").status_code == 405


def test_it_is_ready_with_every_migration_and_a_database(db: None) -> None:
    assert Client().get("/readyz").json() == {"status": "ok"}
    MigrationRecorder.Migration.objects.filter(app="search", name="0002_full_text").delete()
    answer = Client().get("/readyz")
    assert answer.status_code == 503 and "1 migrations" in answer.json()["reason"]
    with patch("webapp.api.views.health.MigrationExecutor", side_effect=OperationalError("no such host: db.internal")):
        answer = Client().get("/readyz")
    assert answer.status_code == 503 and "internal" not in answer.content.decode()


def test_it_is_not_ready_where_nothing_can_be_written(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_written", [])
    with patch.object(LastWrite.objects, "update_or_create", side_effect=OperationalError("disk at /srv/data is full")):
        answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"status": "down", "reason": "the database takes no writes: OperationalError"}
    # The next request tries again, and a burst of them writes once.
    assert [Client().get("/readyz").status_code for _ in range(3)] == [200] * 3
    LastWrite.objects.get().delete()
    assert Client().get("/readyz").status_code == 200 and not LastWrite.objects.exists()


def test_it_is_not_ready_where_workers_take_nothing(db: None) -> None:
    with patch.object(health, "full_folders", return_value=["/srv/secret"]):
        answer = Client().get("/readyz")
    assert answer.status_code == 503 and answer.json()["reason"].startswith("the disk of run-time data")
    assert "secret" not in answer.content.decode() and Client().get("/readyz").status_code == 200
