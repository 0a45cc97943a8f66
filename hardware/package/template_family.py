"""Families of templates: one file that describes many packages with common values.

A family is a document without slug, with two lists more: `packages` (each with slug, title, summary and what is its own) and
`sizes` (what every package comes in; texts are appended to the package's, everything else is laid over it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardware.documents import merge

_APPENDED = ("slug", "title", "summary")
# What people look for first stands first where a document is shown as text.
_FIRST = ("schema", "slug", "title", "summary", "source", "package")


def expand(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the documents of a family, package by package; a document that is no family comes back alone."""
    if "packages" not in content:
        yield dict(content)
        return
    shared = {key: value for key, value in content.items() if key not in ("packages", "sizes")}
    for package in content["packages"]:
        for size in content.get("sizes", [{}]):
            document = merge(merge(shared, package), size)
            texts = {key: str(package.get(key, "")) + str(size.get(key, "")) for key in _APPENDED}
            document |= {key: text for key, text in texts.items() if text}
            yield {key: document[key] for key in _FIRST if key in document} | document
