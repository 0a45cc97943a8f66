"""Content to start a document of one's own from: the same under a slug and a title that are free."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

from engines.documents import families
from webapp.catalogue.entries import list_documents
from webapp.catalogue.names import resolve
from webapp.teams.visibility import Principal

_COPY = re.compile(r" \(copy( \d+)?\)$")


def copy_of(principal: Principal, kind: str, slug: str, version: int | None = None) -> dict[str, Any]:
    """Return the content to start a new document from: the same under a slug and a title that are free."""
    source = resolve(principal, kind, slug, version)
    taken = {entry.slug for entry in list_documents(principal, kind)}
    candidates = (
        f"{source.slug}-copy{suffix}" for suffix in ("", *(f"-{number}" for number in range(2, len(taken) + 3)))
    )
    free = next(name for name in candidates if name not in taken)
    title = copy_title(principal, kind, str(source.content.get("title", source.slug)))
    return {**families.stored(source.content), "slug": free, "title": title}


def copy_title(principal: Principal, kind: str, title: str) -> str:
    """Return a title for a copy that no document has which `principal` may see: "Board (copy)", "Board (copy 2)"."""
    taken = {entry.title for entry in list_documents(principal, kind)}
    own = _COPY.sub("", title)
    numbers = (f" {number}" if number > 1 else "" for number in count(1))
    return next(found for number in numbers if (found := f"{own} (copy{number})") not in taken)
