"""The catalogue in the admin: same validation, differences, runs out of date."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from engines.contract.encoding.document_text import to_yaml
from tests.support.stored_runs import People
from webapp.catalogue import service
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


def test_it_adds_a_document(root: Client, people: People, network: dict[str, Any]) -> None:
    form = {"project": people.project.pk, "kind": "workload", "content": to_yaml(network), **_versions()}
    answer = root.post(ADD, form, follow=True)
    assert "Version 1 is stored." in answer.content.decode()
    version = DocumentVersion.objects.get()
    assert (version.content, version.document.slug, version.created_by.username) == (network, "tiny", "root")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "words"),
    [({"operations": []}, "operations: must be"), ({"slug": "resnet50"}, "a name that no built-in has")],
)
def test_it_checks_like_everything_else(
    root: Client, people: People, network: dict[str, Any], change: dict[str, Any], words: str
) -> None:
    content = to_yaml({**network, **change})
    form = {"project": people.project.pk, "kind": "workload", "content": content, **_versions()}
    answer = root.post(ADD, form)
    assert answer.status_code == 200 and words in answer.content.decode()
    assert not Document.objects.exists()


def test_it_stores_a_version_with_its_reason(root: Client, people: People, network: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "workload", network)
    sent = {"content": to_yaml({**network, "title": "Changed"}), "seen": 1, "reason": "A better name", **_versions()}
    answer = root.post(_page(version.document), sent, follow=True)
    assert "Version 2 is stored. Runs with an older version: 0." in answer.content.decode()
    assert DocumentVersion.objects.get(number=2).reason == "A better name"
    again = root.post(_page(version.document), {**sent, "seen": 2}, follow=True)
    assert "No changes" in again.content.decode()
    assert version.document.versions.count() == 2


def test_who_was_not_the_first_to_save_is_told_the_difference(
    root: Client, people: People, network: dict[str, Any]
) -> None:
    version = store_version(people.owner, people.project, "workload", network)
    store_version(people.owner, people.project, "workload", {**network, "title": "Theirs"})
    sent = {"content": to_yaml({**network, "summary": "Mine"}), "seen": 1, **_versions()}
    page = root.post(_page(version.document), sent).content.decode()
    assert "ann has saved version 2 since you opened this" in page and "title, summary" in page
    assert version.document.versions.count() == 2
    assert 'name="seen" value="2"' in page  # saving again is a choice
    root.post(_page(version.document), {**sent, "seen": 2})
    assert version.document.versions.first().content["summary"] == "Mine"  # type: ignore[union-attr]


def test_who_is_overtaken_between_check_and_store_is_told_too(
    root: Client, people: People, network: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = store_version(people.owner, people.project, "workload", network)
    check, keep = service.validate, service.store_unrestricted

    def theirs() -> None:
        monkeypatch.setattr(service, "validate", check)
        monkeypatch.setattr(service, "store_unrestricted", keep)
        store_version(people.owner, people.project, "workload", {**network, "title": "Theirs"})

    def after_theirs(act: Any) -> Any:
        def both(*args: Any, **kwargs: Any) -> Any:
            theirs()
            return act(*args, **kwargs)

        return both

    def overtaken(*args: Any, **kwargs: Any) -> Any:
        theirs()
        try:
            return keep(*args, **kwargs)
        finally:
            # What is undone takes theirs along, which another process would have stored: it is there for the next check.
            monkeypatch.setattr(service, "validate", after_theirs(check))

    monkeypatch.setattr(service, "store_unrestricted", overtaken)
    sent = {"content": to_yaml({**network, "title": "Mine"}), "seen": 1, **_versions()}
    page = root.post(_page(version.document), sent).content.decode()
    assert "ann has saved version 2 since you opened this" in page and 'name="seen" value="2"' in page
    assert [each.title for each in version.document.versions.order_by("number")][1:] == ["Theirs"]


def test_what_is_added_takes_no_place_from_what_is_there(root: Client, people: People, network: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "workload", network)
    content = to_yaml({**network, "title": "Another"})
    form = {"project": people.project.pk, "kind": "workload", "content": content, **_versions()}
    assert "lab has tiny already" in root.post(ADD, form).content.decode()
    assert DocumentVersion.objects.count() == 1


def test_it_keeps_the_slug(root: Client, people: People, network: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "workload", network)
    content = to_yaml({**network, "slug": "another"})
    assert "Add a document" in root.post(_page(version.document), {"content": content, **_versions()}).content.decode()


def test_hardware_is_edited_in_the_form_alone(root: Client, people: People, package: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "hardware", package)
    page = root.get(_page(version.document)).content.decode()
    assert "<textarea" not in page and "Make official…" in page
    sent = {"content": to_yaml({**package, "title": "Changed"}), **_versions()}
    assert root.post(_page(version.document), sent).status_code == 403
    form = {"project": people.project.pk, "kind": "hardware", "content": to_yaml(package), **_versions()}
    assert "hardware is not one of the available choices" in root.post(ADD, form).content.decode()
    assert version.document.versions.count() == 1


def test_it_names_the_runs_that_are_out_of_date(root: Client, people: People, package: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "hardware", package)
    run = Run.objects.create(
        project=people.project, owner=people.owner, title="Earlier", engine="toy", engine_version=1
    )
    facts = {"slot": "hardware", "kind": "hardware", "slug": package["slug"], "version": 1, "content": {}}
    RunInput.objects.create(run=run, content_hash=version.content_hash, **facts)
    link = reverse("admin:runs_run_change", args=[run.pk])
    assert link not in root.get(_page(version.document)).content.decode()
    store_version(people.owner, people.project, "hardware", {**package, "title": "Changed"})
    assert link in root.get(_page(version.document)).content.decode()


def test_it_shows_what_changed(root: Client, people: People, package: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "hardware", package)
    newest = store_version(people.owner, people.project, "hardware", {**package, "title": "<b>Changed</b>"})
    page = root.get(reverse("admin:catalogue_documentversion_change", args=[newest.pk])).content.decode()
    assert f"-title: {package['title']}" in page and "+title: &lt;b&gt;Changed&lt;/b&gt;" in page
    listed = root.get(reverse("admin:catalogue_documentversion_changelist")).content.decode()
    assert '<td class="field-kind">Hardware</td>' in listed and '<td class="field-project">Lab</td>' in listed


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
