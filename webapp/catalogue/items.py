"""Actions on documents and their versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from webapp.catalogue.models import Document, DocumentVersion
from webapp.items.registry import Item, declare


def _words(documents: Sequence[Document]) -> Mapping[int, Iterable[object]]:
    rows = DocumentVersion.objects.filter(document__in=documents).order_by("number")
    newest = {row[0]: row[1:] for row in rows.values_list("document_id", "title", "summary", "created_by__username")}
    return {number: filter(None, texts) for number, texts in newest.items()}


def _address(document: Any) -> str:
    return f"/catalogue/{document.kind}/{document.project.slug}/{document.slug}"


declare(
    Item(
        name="document",
        model="catalogue.Document",
        address=_address,
        listing="/catalogue",
        columns=("kind", "slug"),
        label=lambda document: f"{document.kind} {document.slug}",
        words=_words,
        remains="Runs that use it keep their pinned version.",
        companions="A copy has the newest version; moving takes all of them. Runs keep their pinned version.",
        markable=True,
        movable=True,
        deletable=True,
        searchable=True,
        logged=("project", "kind", "slug", "deleted"),
    ),
    Item(
        name="version",
        model="catalogue.DocumentVersion",
        address=lambda version: f"{_address(version.document)}?version={version.number}",
        columns=("title", "number", "document__kind", "document__slug"),
        annotatable=True,
        logged=("document", "number", "title", "content_hash", "reason"),
    ),
)
