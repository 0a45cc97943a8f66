"""Deleting and bringing back over REST."""

from __future__ import annotations

from django.test import Client

from tests.support.stored_runs import People, finished_run
from webapp.catalogue.models import Document
from webapp.deletions.service import delete


def test_it_is_done_over_rest(people: People) -> None:
    run, client = finished_run(people), Client()
    client.force_login(people.owner)
    assert client.delete(f"/api/v1/runs/{run.pk}/").status_code == 204
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 404
    listed = client.get("/api/v1/deleted/").json()
    assert [(each["number"], each["by"], each["restorable"]) for each in listed] == [
        (run.pk, people.owner.username, True)
    ]
    assert client.post(f"/api/v1/deleted/run/{run.pk}/restore/").json()["title"] == "Toy run"
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 200
    assert client.post("/api/v1/deleted/cat/1/restore/").status_code == 400
    client.force_login(people.stranger)
    assert client.post(f"/api/v1/deleted/run/{run.pk}/restore/").status_code == 404


def test_the_address_of_a_deleted_thing_says_so_to_those_who_may_know_it(people: People) -> None:
    run, client = finished_run(people), Client()
    client.force_login(people.owner)
    client.delete(f"/api/v1/runs/{run.pk}/")
    told = client.get(f"/api/v1/runs/{run.pk}/log/")
    assert told.status_code == 404
    [gone] = told.json()["deleted"]
    assert (gone["kind"], gone["number"], gone["by"]) == ("run", run.pk, people.owner.username)
    assert f"POST {gone['restore']} brings it back" in told.json()["detail"]
    client.force_login(people.viewer)
    assert client.get(f"/api/v1/runs/{run.pk}/").json()["deleted"][0]["restore"] is None
    client.force_login(people.stranger)
    assert "deleted" not in client.get(f"/api/v1/runs/{run.pk}/").json()
    client.force_login(people.owner)
    assert client.post(gone["restore"]).status_code == 200


def test_the_address_of_a_deleted_document_says_so(people: People) -> None:
    document = Document.objects.create(project=people.project, kind="hardware", slug="board")
    delete(people.owner, "document", document.pk)
    client = Client()
    client.force_login(people.editor)
    [gone] = client.get("/api/v1/documents/hardware/board/").json()["deleted"]
    assert (gone["kind"], gone["number"]) == ("document", document.pk) and gone["restore"]
