from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from tests.support.stored_runs import People
from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.service import store_version
from webapp.changes.models import Change


@pytest.fixture
def root(people: People) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root", password="root-has-a-password"))
    return client


@pytest.fixture
def own(people: People, package: dict[str, Any]) -> Document:
    return store_version(people.owner, people.project, "hardware", {**package, "slug": "board"}).document


def decide(client: Client, document: Document, name: str, reason: str) -> str:
    address = reverse("admin:catalogue_document_decide", args=[document.pk, name])
    assert client.get(address).status_code == 200
    return client.post(address, {"reason": reason}, follow=True).content.decode()


def test_it_promotes_retires_and_brings_back_with_a_reason(root: Client, own: Document) -> None:
    assert "This field is required" in decide(root, own, "promote", " ")
    page = decide(root, own, "promote", "Measured twice")
    board = Document.objects.get(project__official=True)
    assert "yes, for all projects" in page and 'href="/hardware/new?from=official/board"' in page
    assert "retired" in decide(root, board, "retire", "A newer one is sold")
    board.refresh_from_db()
    assert board.retired is not None
    assert (
        "already decided"
        in root.get(reverse("admin:catalogue_document_decide", args=[board.pk, "retire"]), follow=True).content.decode()
    )
    decide(root, board, "bring-back", "It is sold again")
    board.refresh_from_db()
    assert board.retired is None
    reasons = [change.changes["reason"][1] for change in Change.objects.order_by("pk") if "reason" in change.changes]
    assert reasons == ["Measured twice", "A newer one is sold", "It is sold again"]
    assert set(Change.objects.values_list("who", flat=True)) == {"root"}


def test_nobody_else_decides(own: Document, people: People) -> None:
    address = reverse("admin:catalogue_document_decide", args=[own.pk, "promote"])
    client = Client()
    client.force_login(people.owner)
    assert client.post(address, {"reason": "Because"}).status_code == 302
    clerk = get_user_model().objects.create_user("clerk", password="clerk-has-a-password", is_staff=True)
    client.force_login(clerk)  # staff without the permission to look at documents
    assert client.post(address, {"reason": "Because"}).status_code == 403
    assert DocumentVersion.objects.count() == 1
