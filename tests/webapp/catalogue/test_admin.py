"""The catalogue in the admin: same validation, differences, runs out of date."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from engines.contract.document_text import to_yaml
from tests.support.stored_runs import People
from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.service import store_version
from webapp.runs.models import Run, RunInput

ADD = "/admin/catalogue/document/add/"


@pytest.fixture
def root(people: People) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root", password="root-has-a-password"))
    return client


def _versions() -> dict[str, Any]:
    """What the inline of versions sends along."""
    return {"versions-TOTAL_FORMS": 0, "versions-INITIAL_FORMS": 0}


def _page(document: Document) -> str:
    return reverse("admin:catalogue_document_change", args=[document.pk])


def test_it_adds_a_document(root: Client, people: People, package: dict[str, Any]) -> None:
    form = {"project": people.project.pk, "kind": "hardware", "content": to_yaml(package), **_versions()}
    answer = root.post(ADD, form, follow=True)
    assert "Version 1 is stored." in answer.content.decode()
    version = DocumentVersion.objects.get()
    assert (version.content, version.document.slug, version.created_by.username) == (package, package["slug"], "root")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "words"),
    [({"clock_mhz": -1}, "clock_mhz: must be"), ({"slug": "simba-3x3-nvdla"}, "a name that no built-in has")],
)
def test_it_checks_like_everything_else(
    root: Client, people: People, package: dict[str, Any], change: dict[str, Any], words: str
) -> None:
    content = to_yaml({**package, **change})
    form = {"project": people.project.pk, "kind": "hardware", "content": content, **_versions()}
    answer = root.post(ADD, form)
    assert answer.status_code == 200 and words in answer.content.decode()
    assert not Document.objects.exists()


def test_it_stores_a_version_and_names_the_runs(root: Client, people: People, package: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "hardware", package)
    run = Run.objects.create(
        project=people.project, owner=people.owner, title="Earlier", engine="toy", engine_version=1
    )
    RunInput.objects.create(
        run=run,
        slot="hardware",
        kind="hardware",
        slug=package["slug"],
        version=1,
        content_hash=version.content_hash,
        content={},
    )
    assert "none" in root.get(_page(version.document)).content.decode()
    changed = to_yaml({**package, "title": "Changed"})
    answer = root.post(_page(version.document), {"content": changed, **_versions()}, follow=True)
    assert "Version 2 is stored. Runs with an older version: 1." in answer.content.decode()
    page = root.get(_page(version.document)).content.decode()
    assert reverse("admin:runs_run_change", args=[run.pk]) in page
    again = root.post(_page(version.document), {"content": changed, **_versions()}, follow=True)
    assert "Nothing has changed" in again.content.decode()
    assert version.document.versions.count() == 2


def test_it_keeps_the_slug(root: Client, people: People, package: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "hardware", package)
    content = to_yaml({**package, "slug": "another"})
    assert "Add a document" in root.post(_page(version.document), {"content": content, **_versions()}).content.decode()


def test_it_shows_what_changed(root: Client, people: People, package: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "hardware", package)
    newest = store_version(people.owner, people.project, "hardware", {**package, "title": "<b>Changed</b>"})
    page = root.get(reverse("admin:catalogue_documentversion_change", args=[newest.pk])).content.decode()
    assert f"-title: {package['title']}" in page and "+title: &lt;b&gt;Changed&lt;/b&gt;" in page


@pytest.mark.parametrize(
    "name",
    [
        "catalogue_document",
        "catalogue_documentversion",
        "runs_run",
        "runs_workerbeat",
        "teams_project",
        "api_apitoken",
        "auth_user",
    ],
)
def test_it_shows_every_list(root: Client, people: People, package: dict[str, Any], name: str) -> None:
    store_version(people.owner, people.project, "hardware", package)
    assert root.get(reverse(f"admin:{name}_changelist")).status_code == 200


def test_it_is_closed_to_others(people: People) -> None:
    client = Client()
    client.force_login(people.owner)
    assert client.get("/admin/catalogue/document/").status_code == 302
