"""Runs in the admin: to look at and to stop, nothing else."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from tests.support.stored_runs import People, make_people
from webapp.runs.models import Run


@pytest.fixture
def people(db: None) -> People:
    return make_people()


@pytest.fixture
def root(people: People) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root", password="root-has-a-password"))
    return client


def _run(people: People, status: str) -> Run:
    return Run.objects.create(
        project=people.project, owner=people.owner, title=status, engine="toy", engine_version=1, status=status
    )


def test_it_stops_runs(root: Client, people: People) -> None:
    runs = {status: _run(people, status) for status in ("queued", "running", "done")}
    form = {"action": "stop", "_selected_action": [run.pk for run in runs.values()]}
    page = root.post(reverse("admin:runs_run_changelist"), form, follow=True).content.decode()
    assert "3 runs: 1 are stopping" in page
    found = {run.title: (run.status, run.wish) for run in Run.objects.all()}
    assert found == {"queued": ("stopped", "stop"), "running": ("running", "stop"), "done": ("done", "run")}


def test_it_changes_nothing_else(root: Client, people: People) -> None:
    run = _run(people, "done")
    page = reverse("admin:runs_run_change", args=[run.pk])
    assert root.get(page).status_code == 200
    assert root.post(page, {"status": "failed"}).status_code == 403
    assert root.post(reverse("admin:runs_run_delete", args=[run.pk]), {"post": "yes"}).status_code == 403
    assert root.get("/admin/runs/run/add/").status_code == 403
    run.refresh_from_db()
    assert run.status == "done"
