"""Documents as lists and pickers show them: the newest version of each, built-ins first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from django.db.models import OuterRef, QuerySet, Subquery

from engines.contract.engine import Document as EngineDocument
from engines.documents import families
from engines.documents.builtin import builtin_documents
from engines.workloads.index import read_index
from hardware.family import DocumentFamily, DocumentKind
from webapp.catalogue.models import KINDS, Document, DocumentVersion
from webapp.teams.permissions import offered_builtins
from webapp.teams.visibility import Principal, visible


@dataclass(frozen=True)
class DocumentEntry:
    """The newest version of a document, for lists and pickers.

    Attributes:
        project: slug of the project; None for a built-in.
        summary: description of the document in a few words.
        official: it is for everybody, and administrators look after it.
        retired: it is official, and not offered any more.
    """

    kind: str
    slug: str
    version: int
    title: str
    summary: str
    builtin: bool
    content: Mapping[str, Any]
    project: str | None = None
    official: bool = False
    retired: bool = False

    @property
    def schema(self) -> str:
        """The content's own `schema` key."""
        return str(self.content.get("schema", ""))

    @property
    def content_hash(self) -> str:
        """SHA-256 (hex) of the canonical JSON of the content."""
        return EngineDocument(cast(DocumentKind, self.kind), self.slug, self.version, self.content).content_hash()

    @property
    def name(self) -> str:
        """The shortest name by which `resolve` finds the document among several projects."""
        return self.slug if self.project is None else f"{self.project}/{self.slug}"


def list_documents(principal: Principal, kind: str | None = None, schemas: Iterable[str] = ()) -> list[DocumentEntry]:
    """Return the newest version of everything that `principal` is offered: built-ins first, then by project and slug.

    Args:
        principal: who asks.
        kind: only this kind; None lists all kinds.
        schemas: only these values of the content's `schema` key; empty lists all.
    """
    if not offered_builtins(principal):
        return []
    wanted = set(schemas)
    entries = [entry for each in ((kind,) if kind else KINDS) for entry in builtin_entries(each)]
    entries += [stored_entry(version) for version in _offered(_newest_versions(principal, kind))]
    return [entry for entry in entries if not wanted or entry.schema in wanted]


@dataclass(frozen=True)
class DocumentLine:
    """A document in a list that is read page by page: as `DocumentEntry`, without its content."""

    kind: str
    slug: str
    version: int
    title: str
    summary: str
    schema: str
    builtin: bool
    project: str | None
    official: bool = False


class DocumentLines:
    """The newest version of everything that `principal` is offered, cut by a page's bounds: only those are read.

    Built-ins first, then by kind, project and slug.

    Args:
        principal: who asks.
        kinds: only these; empty lists all kinds.
        schemas: only these values of the content's `schema` key; empty lists all.
    """

    def __init__(self, principal: Principal, kinds: Iterable[str] = (), schemas: Iterable[str] = ()) -> None:
        wanted, kinds = set(schemas), tuple(kinds) or KINDS
        self._builtin: list[DocumentEntry] = []
        if offered_builtins(principal):
            entries = (entry for kind in kinds for entry in builtin_entries(kind))
            self._builtin = [entry for entry in entries if not wanted or entry.schema in wanted]
        stored = _offered(_newest_versions(principal, None)).filter(document__kind__in=kinds)
        if wanted:
            stored = stored.filter(schema__in=wanted.union(*map(families.older, wanted)))
        self._stored = stored.defer("content")

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self._builtin) + self._stored.count()

    def __getitem__(self, page: slice) -> list[DocumentLine]:
        """Return the lines from `page.start` to `page.stop`, both given and not negative."""
        before = len(self._builtin)
        found = [
            DocumentLine(each.kind, each.slug, each.version, each.title, each.summary, each.schema, True, None)
            for each in self._builtin[page]
        ]
        if page.stop > before:
            found += [_line(version) for version in self._stored[max(0, page.start - before) : page.stop - before]]
        return found


def _line(version: DocumentVersion) -> DocumentLine:
    document, newest = version.document, families.newest(version.schema)
    names = (document.kind, document.slug, version.number, version.title, version.summary)
    return DocumentLine(*names, newest, False, document.project.slug, document.project.official)


def visible_versions(principal: Principal) -> QuerySet[DocumentVersion]:
    """Return every stored version that `principal` may see, its document and project loaded with it."""
    return visible(principal, DocumentVersion.objects.select_related("document__project", "created_by"))


def entries_of(principal: Principal, documents: Iterable[Document]) -> list[DocumentEntry]:
    """Return the newest versions of these documents, in their order, but those that `principal` may not see."""
    wanted = [each.pk for each in documents]
    newest = {version.document_id: version for version in _newest_versions(principal, None).filter(document__in=wanted)}
    return [stored_entry(newest[number]) for number in wanted if number in newest]


def name_of_content(principal: Principal, kind: str, slug: str, content_hash: str) -> str:
    """Return the name of a document that `principal` sees, whose newest version has this content; "" where there is none."""
    found = _newest_versions(principal, kind).filter(document__slug=slug, content_hash=content_hash).first()
    return f"{found.document.project.slug}/{slug}" if found else ""


def builtin_entries(kind: str) -> list[DocumentEntry]:
    """Return the built-in documents of a kind, for everybody who is signed in."""
    return [entry for family in families.families(kind) for entry in _entries_of(family)]


@cache
def _entries_of(family: DocumentFamily[Any]) -> tuple[DocumentEntry, ...]:
    documents = builtin_documents(family.kind)
    return tuple(builtin_entry(documents[slug]) for slug in family.builtins())


def builtin_entry(document: EngineDocument) -> DocumentEntry:
    """Return a built-in document as lists show it."""
    title = str(document.content.get("title", document.slug))
    listed = read_index().get(document.slug) if document.kind == "workload" else None
    summary = listed.figures.words[: families.SUMMARY_LENGTH] if listed else families.summary_of(document.content)
    return DocumentEntry(document.kind, document.slug, document.version, title, summary, True, document.content)


def stored_entry(version: DocumentVersion) -> DocumentEntry:
    """Return a stored version as lists show it, in the newest schema; its document and project are loaded with it."""
    document, content = version.document, families.upgraded(version.content)
    return DocumentEntry(
        document.kind,
        document.slug,
        version.number,
        version.title,
        version.summary,
        False,
        content,
        document.project.slug,
        document.project.official,
        document.retired is not None,
    )


def _offered(versions: QuerySet[DocumentVersion]) -> QuerySet[DocumentVersion]:
    """Return the entries without those of retired documents."""
    return versions.filter(document__retired__isnull=True)


def _newest_versions(principal: Principal, kind: str | None) -> QuerySet[DocumentVersion]:
    newest = DocumentVersion.objects.filter(document=OuterRef("document")).order_by("-number").values("number")[:1]
    versions = visible_versions(principal).filter(number=Subquery(newest))
    versions = versions.filter(document__kind=kind) if kind else versions
    return versions.order_by("document__kind", "document__project__slug", "document__slug")
