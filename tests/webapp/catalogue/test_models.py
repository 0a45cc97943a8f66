"""Versions cannot be changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from tests.support.stored_runs import People
from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.service import store_version


def test_it_refuses_to_change_a_version(people: People, package: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "hardware", package)
    version.title = "Changed"
    with pytest.raises(PermissionDenied, match="immutable"):
        version.save()
    with pytest.raises(PermissionDenied, match="immutable"):
        DocumentVersion.objects.update(title="Changed")
    assert DocumentVersion.objects.get().title == package["title"]


def test_it_outlives_its_author_but_not_its_project(people: People, package: dict[str, Any]) -> None:
    store_version(people.editor, people.project, "hardware", package)
    people.editor.delete()
    assert DocumentVersion.objects.get().created_by is None
    people.project.delete()
    assert not Document.objects.exists()
