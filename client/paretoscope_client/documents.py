"""Documents of the site's catalogue: hardware, workloads and whatever else engines read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Document:
    """The newest version of a document, or the one asked for.

    Attributes:
        kind: "hardware", "workload" and so on. slug: its name in problem documents. schema: its family and version, as "soc/1".
        builtin: whether it came with the product. project: slug of its project; None for a built-in.
    """

    kind: str
    slug: str
    version: int
    title: str
    summary: str
    schema: str
    builtin: bool
    project: str | None

    @property
    def reference(self) -> str:
        """Return what names this very version in a problem document."""
        return f"{self.project}/{self.slug}@{self.version}" if self.project else f"{self.slug}@{self.version}"


@dataclass(frozen=True)
class DocumentContent(Document):
    """A version of a document with its content.

    Attributes:
        tag: what the site calls this state; `Paretoscope.store` sends it with `seen`.
    """

    content: Mapping[str, Any]
    content_hash: str
    tag: str


@dataclass(frozen=True)
class StoredVersion:
    """The version that a file became.

    Attributes:
        reference: names it in a problem document. created: False where the content was stored already.
        report: how a network was read, operator by operator; empty for other documents.
    """

    kind: str
    slug: str
    version: int
    title: str
    summary: str
    project: str | None
    reference: str
    created: bool
    report: Mapping[str, Any]
