"""Documents of the site's catalogue, such as hardware and workloads, which runs take as inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Document:
    """One version of a document, without its content.

    Attributes:
        kind: "hardware", "workload" and so on. slug: name in problem documents. schema: family and version, such as "soc/1".
        builtin: whether it is part of the product. project: slug of its project; None for a built-in document.
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
        """Return the reference to this exact version in a problem document."""
        return f"{self.project}/{self.slug}@{self.version}" if self.project else f"{self.slug}@{self.version}"


@dataclass(frozen=True)
class DocumentContent(Document):
    """A version of a document with its content.

    Attributes:
        tag: ETag of this state; `Paretoscope.store` with `seen` sends it to detect changes by others.
    """

    content: Mapping[str, Any]
    content_hash: str
    tag: str


@dataclass(frozen=True)
class StoredVersion:
    """The document version that an upload created.

    Attributes:
        reference: reference to it in a problem document. created: False if equal content was stored already.
        report: result of the import for each operator of a network; empty for other documents.
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
