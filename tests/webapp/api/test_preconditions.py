"""What has changed since it was read is not changed: ETag, If-Match, If-None-Match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from engines.documents import families
from tests.support.stored_runs import People
from tests.webapp.measuring.conftest import MACHINE, as_agent
from webapp.annotations.notes import write
from webapp.catalogue.models import Document, DocumentVersion
from webapp.measuring.devices import register
from webapp.reports import service as reports
from webapp.runs.models import Run
from webapp.studies.models import Study
from webapp.webhooks.service import make_webhook

DOCUMENTS = "/api/v1/documents/"


def _network(title: str) -> dict[str, Any]:
    content = dict(families.example(families.family_called("network")))
    return {"content": {**content, "slug": "my-own", "title": title}}


def _store(client: APIClient, title: str, **headers: str) -> Any:
    return client.post(DOCUMENTS, _network(title), format="json", headers=headers)


def test_a_run_is_stopped_as_it_was_seen(client: APIClient) -> None:
    address = f"/api/v1/runs/{client.post('/api/v1/runs/', {'engine': 'toy'}, format='json').json()['id']}/"
    tag = client.get(address).headers["ETag"]
    Run.objects.update(fraction=0.5)
    late = client.patch(address, {"wish": "stop"}, format="json", headers={"If-Match": tag})
    now = client.get(address).headers["ETag"]
    assert late.status_code == 412 and now in late.json()["detail"] and Run.objects.get().status == "queued"
    assert client.post(f"{address}continue/", headers={"If-Match": tag}).status_code == 412
    assert client.delete(address, headers={"If-Match": tag}).status_code == 412
    done = client.patch(address, {"wish": "stop"}, format="json", headers={"If-Match": now})
    assert (done.status_code, done.json()["status"]) == (200, "stopped")
    assert client.get(address).headers["ETag"] not in (tag, now)


@pytest.mark.parametrize("given", ["*", "W/{}", '"x", {}'])
def test_any_of_several_and_compressed_ones_match(client: APIClient, run: Run, given: str) -> None:
    address = f"/api/v1/runs/{run.pk}/"
    tag = client.get(address).headers["ETag"]
    seen = {"If-Match": given.format(tag)}
    assert client.patch(address, {"wish": "stop"}, format="json", headers=seen).status_code == 200


def test_who_has_it_already_gets_nothing(client: APIClient, run: Run) -> None:
    address = f"/api/v1/runs/{run.pk}/"
    tag = client.get(address).headers["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    Run.objects.update(title="Another")
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_a_study_is_changed_as_it_was_seen(client: APIClient) -> None:
    address = f"/api/v1/studies/{client.post('/api/v1/studies/', {'engine': 'toy'}, format='json').json()['id']}/"
    tag = client.get(address).headers["ETag"]
    Run.objects.update(fraction=0.5)
    for method, path, body in (("patch", "", {"wish": "stop"}), ("post", "continue/", None), ("delete", "", None)):
        late = getattr(client, method)(address + path, body, format="json", headers={"If-Match": tag})
        assert late.status_code == 412
    assert Study.objects.count() == 1 and Run.objects.get().status == "queued"
    assert client.delete(address, headers={"If-Match": client.get(address).headers["ETag"]}).status_code == 204


def test_a_version_comes_after_the_one_that_was_seen(client: APIClient) -> None:
    first = _store(client, "First").headers["ETag"]
    address = f"{DOCUMENTS}workload/my-own/"
    assert client.get(address).headers["ETag"] == first
    second = _store(client, "Second", **{"If-Match": first})
    assert (second.status_code, second.json()["version"]) == (201, 2)
    late = _store(client, "Third", **{"If-Match": first})
    assert late.status_code == 412 and second.headers["ETag"] in late.json()["detail"]
    assert DocumentVersion.objects.count() == 2
    assert _store(client, "First").json()["version"] == 3  # as the first again, and yet another version
    assert _store(client, "Fourth", **{"If-Match": first}).status_code == 412


def test_a_document_is_made_only_where_there_is_none(client: APIClient) -> None:
    lost = _store(client, "First", **{"If-Match": '"1-x"'})
    assert lost.status_code == 412 and "does not exist now" in lost.json()["detail"]
    assert not Document.objects.filter(slug="my-own").exists()
    assert _store(client, "First", **{"If-None-Match": "*"}).status_code == 201
    assert _store(client, "Second", **{"If-None-Match": "*"}).status_code == 412
    assert DocumentVersion.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "method", "body", "other"),
    [
        ("notes", "patch", {"text": "Other"}, {"text": "Third"}),
        ("reports", "patch", {"text": "Other"}, {"text": "Third"}),
        ("webhooks", "patch", {"active": False}, {"active": True}),
        ("devices", "patch", {"revoked": True}, {"revoked": False}),
        ("tags/run", "put", {"tags": ["other"]}, {"tags": ["third"]}),
    ],
)
def test_everything_that_can_be_changed_is_changed_as_it_was_seen(
    client: APIClient, people: People, run: Run, name: str, method: str, body: dict[str, Any], other: dict[str, Any]
) -> None:
    made: dict[str, Callable[[], Any]] = {
        "notes": lambda: write(people.owner, "run", run.pk, "Mine").note,
        "reports": lambda: reports.write(people.owner, "Ours", "Text", people.project),
        "webhooks": lambda: make_webhook(people.owner, people.project, "https://example.org/", ["run.done"])[0],
        "devices": lambda: register(as_agent(people.owner, people.project.pk), "Box", MACHINE)[0],
        "tags/run": lambda: run,
    }
    address = f"/api/v1/{name}/{made[name]().pk}/"
    tag = client.get(address).headers["ETag"]
    change = getattr(client, method)
    assert change(address, body, format="json", headers={"If-Match": tag}).status_code == 200
    now = client.get(address)
    assert now.headers["ETag"] != tag
    late = change(address, other, format="json", headers={"If-Match": tag})
    assert late.status_code == 412 and now.headers["ETag"] in late.json()["detail"]
    assert client.get(address).content == now.content
    if name not in ("devices", "tags/run"):
        assert client.delete(address, headers={"If-Match": tag}).status_code == 412
        assert client.delete(address, headers={"If-Match": now.headers["ETag"]}).status_code == 204


def test_what_can_be_changed_says_how_it_was_seen() -> None:
    """Every address that is read and changed tells of `ETag` and `If-Match`."""
    described = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    for path, operations in described["paths"].items():
        changes = [operations[method] for method in ("put", "patch", "delete") if method in operations]
        if "get" in operations and path.endswith("}/"):
            for operation in changes:
                assert "If-Match" in {each["name"] for each in operation["parameters"]}, path
