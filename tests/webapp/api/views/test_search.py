"""The search over REST."""

from __future__ import annotations

from typing import Any

from django.test import Client

from tests.support.stored_runs import People, finished_run


def test_it_is_asked_over_rest(people: People, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # the index follows what is stored
        run = finished_run(people)
    client = Client()
    client.force_login(people.viewer)
    answer = client.get("/api/v1/search/?q=toy+run").json()
    assert [(each["kind"], each["number"], each["title"]) for each in answer] == [("run", run.pk, "Toy run")]
    assert client.get("/api/v1/search/").status_code == 400
    client.force_login(people.stranger)
    assert client.get("/api/v1/search/?q=toy").json() == []
