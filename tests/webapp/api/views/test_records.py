"""Results, convergence, log and provenance."""

from __future__ import annotations

from rest_framework.test import APIClient

from webapp.runs.models import Run


def test_it_gives_the_newest_results(client: APIClient, run: Run) -> None:
    body = client.get(f"/api/v1/runs/{run.pk}/results/").json()
    assert [(entry["type"], entry["text"]) for entry in body["results"]] == [("Note", "3 steps made.")]
    rest = client.get(f"/api/v1/runs/{run.pk}/results/", {"first": 1}).json()
    assert (body["count"], rest["count"], rest["results"]) == (1, 1, [])
    assert client.get(f"/api/v1/runs/{run.pk}/results/", {"limit": 51}).status_code == 400


def test_it_gives_the_convergence(client: APIClient, run: Run) -> None:
    body = client.get(f"/api/v1/runs/{run.pk}/convergence/").json()
    assert (body["step"], body["evaluations"], body["hypervolume"]) == ([1, 2, 3], [4, 8, 12], [1.0, 2.0, 3.0])
    assert len(body["metrics"]["latency_s"]) == 3 and body["time_s"][0] == 0
    page = client.get(f"/api/v1/runs/{run.pk}/convergence/", {"first": 1, "limit": 1}).json()
    assert (page["count"], page["step"], page["hypervolume"]) == (3, [2], [2.0])
    assert page["reference"] == body["reference"] and len(page["metrics"]["latency_s"]) == 1


def test_it_gives_the_log_line_by_line(client: APIClient, run: Run) -> None:
    body = client.get(f"/api/v1/runs/{run.pk}/log/").json()
    assert ([line["number"] for line in body["lines"]], body["last"]) == ([1, 2, 3], 3)
    newer = client.get(f"/api/v1/runs/{run.pk}/log/", {"after": 2}).json()
    assert [line["text"] for line in newer["lines"]] == ["Step 3 of 3"]
    assert client.get(f"/api/v1/runs/{run.pk}/log/", {"after": 3}).json() == {"run": run.pk, "last": 3, "lines": []}


def test_it_tells_where_figures_come_from(client: APIClient, run: Run) -> None:
    body = client.get(f"/api/v1/runs/{run.pk}/provenance/").json()
    assert body["problem_hash"] == run.problem_hash and body["seed"] == 3
    assert body["engine"]["version"] == body["engine"]["installed_version"] == 1
