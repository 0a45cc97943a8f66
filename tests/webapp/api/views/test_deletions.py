"""Deleting and bringing back over REST."""

from __future__ import annotations

from django.test import Client

from tests.support.stored_runs import People, finished_run


def test_it_is_done_over_rest(people: People) -> None:
    run, client = finished_run(people), Client()
    client.force_login(people.owner)
    assert client.delete(f"/api/v1/runs/{run.pk}/").status_code == 204
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 404
    assert [each["number"] for each in client.get("/api/v1/deleted/").json()] == [run.pk]
    assert client.post(f"/api/v1/deleted/run/{run.pk}/restore/").json()["title"] == "Toy run"
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 200
    assert client.post("/api/v1/deleted/cat/1/restore/").status_code == 400
    client.force_login(people.stranger)
    assert client.post(f"/api/v1/deleted/run/{run.pk}/restore/").status_code == 404
