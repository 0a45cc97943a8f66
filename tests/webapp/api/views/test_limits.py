"""Limits over REST: what is left, and what a refusal says."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support.stored_runs import People
from webapp.limits.models import PersonLimits


def test_what_is_left_and_what_a_refusal_says(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    PersonLimits.objects.create(person=people.owner, active_runs=1, run_minutes=30)
    client = Client()
    client.force_login(people.owner)
    started = client.post("/api/v1/runs/", {"engine": "toy", "project": "lab"}, content_type="application/json")
    assert started.status_code == 201 and started.json()["stop_after_minutes"] == 30.0
    found = client.get("/api/v1/limits/?project=lab").json()
    assert (found["project"], found["run_minutes"], found["run_memory_mb"]) == ("lab", 30.0, 16384.0)
    uses = {(use["of"], use["name"]): use for use in found["uses"]}
    assert uses["person", "active_runs"] == {"name": "active_runs", "of": "person", "used": 1, "limit": 1, "left": 0}
    assert uses["project", "active_runs"]["limit"] is None
    refused = client.post("/api/v1/runs/", {"engine": "toy", "project": "lab", "seed": 2}, "application/json")
    told = refused.json()
    assert refused.status_code == 403
    assert (told["field"], told["got"], told["limit"], told["used"], told["left"]) == ("active_runs", 1, 1, 1.0, 0.0)
    assert client.get("/api/v1/limits/?project=none").status_code == 404
    assert client.get("/api/v1/limits/?person=vic").status_code == 400
