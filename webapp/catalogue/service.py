"""What pages, the REST interface and commands ask of the catalogue.

Built-in documents are files and visible to everybody who is logged in; all others belong to a project. A document is
named by its slug, "slug@version", or "project/slug@version" where several projects use the same slug.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, cast

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery

from engines.contract.document_text import ReadDocument, as_content
from engines.contract.engine import Document as EngineDocument
from engines.contract.errors import ProblemError
from engines.documents import families
from engines.documents.accepted_documents import listed
from engines.documents.builtin import builtin_documents
from engines.workloads.index import read_index
from hardware.documents import line_of
from hardware.family import DocumentFamily, DocumentKind
from webapp.catalogue.documents import from_yaml
from webapp.catalogue.embedding import embed_networks
from webapp.catalogue.models import KINDS, Document, DocumentVersion
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, known, require_edit, visible

_COPY = re.compile(r" \(copy( \d+)?\)$")
_SLUG_LENGTH = 80
LONGEST_REASON = 500
_VERSION_DIGITS = 10  # Python refuses to read numbers of thousands of digits
Content = Mapping[str, Any] | ReadDocument | str


class UnknownDocumentError(ProblemError):
    """No document of that name is visible."""


Expectation = Callable[[DocumentVersion | None], None]


@dataclass(frozen=True)
class DocumentEntry:
    """The newest version of a document, for lists and pickers.

    Attributes:
        project: slug of the project; None for a built-in.
        summary: what the document describes, in a few words.
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
    """The newest version of everything that `principal` is offered: built-ins first, then by project and slug.

    Args:
        principal: who asks.
        kind: only this kind; None lists all kinds.
        schemas: only these values of the content's `schema` key; empty lists all.
    """
    if not (principal.is_authenticated and principal.is_active):
        return []
    wanted = set(schemas)
    entries = [entry for each in ((kind,) if kind else KINDS) for entry in builtin_entries(each)]
    entries += [_stored_entry(version) for version in _offered(_newest_versions(principal, kind))]
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
        if known(principal):
            entries = (entry for kind in kinds for entry in builtin_entries(kind))
            self._builtin = [entry for entry in entries if not wanted or entry.schema in wanted]
        stored = _offered(_newest_versions(principal, None)).filter(document__kind__in=kinds)
        if wanted:
            stored = stored.filter(schema__in=wanted.union(*map(families.older, wanted)))
        self._stored = stored.defer("content")

    def __len__(self) -> int:
        """How many there are."""
        return len(self._builtin) + self._stored.count()

    def __getitem__(self, page: slice) -> list[DocumentLine]:
        """The lines from `page.start` to `page.stop`, both given and not negative."""
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


def resolve(
    principal: Principal, kind: str, slug: str, version: int | None = None, *, field: str | None = None
) -> EngineDocument:
    """The document version that a name stands for, in the newest schema.

    Args:
        principal: who asks.
        kind: which kind of document is wanted.
        slug: "slug", "slug@2" or "project/slug@2".
        version: its number; the newest if neither this nor the name says one.
        field: what `ProblemError` names; the kind by default.

    Raises:
        UnknownDocumentError: no document of that name is visible to `principal`.
        ProblemError: it has no such version, or the name is ambiguous.
    """
    found = _locate(principal, kind, slug, version, field or kind)
    if isinstance(found, EngineDocument):
        return found
    content = families.upgraded(found.content)
    return EngineDocument(cast(DocumentKind, kind), found.document.slug, found.number, content)


def get_entry(principal: Principal, kind: str, slug: str, version: int | None = None) -> DocumentEntry:
    """The document version that a name stands for, as lists show it.

    Raises:
        ProblemError: as `resolve`.
    """
    found = _locate(principal, kind, slug, version, kind)
    return _builtin_entry(found) if isinstance(found, EngineDocument) else _stored_entry(found)


def versions_of(principal: Principal, kind: str, slug: str) -> list[DocumentVersion]:
    """All stored versions of a document, newest first; none for a built-in, which has only one.

    Raises:
        ProblemError: as `resolve`.
    """
    found = _locate(principal, kind, slug, None, kind)
    if isinstance(found, EngineDocument):
        return []
    return list(visible_versions(principal).filter(document=found.document).order_by("-number").defer("content"))


def store_version(principal: Principal, project: Project, kind: str, content: Content) -> DocumentVersion:
    """Validate content and store it as the next version of the document that its `slug` names.

    Content equal to the newest version's gives that version back.

    Args:
        principal: who stores; an editor or maintainer of `project`.
        project: where the document belongs.
        kind: which kind of document it is.
        content: the document, what was read of a file, or YAML text, which is read in a process of its own.

    Raises:
        NotAllowed: `principal` may not edit the project.
        ProblemError: names the key, what was got and what is accepted.
    """
    return store(principal, project, kind, content)[0]


def store(
    principal: Principal,
    project: Project,
    kind: str,
    content: Content,
    expect: Expectation | None = None,
    reason: str = "",
) -> tuple[DocumentVersion, bool]:
    """As `store_version`, and whether the version is new.

    `expect` is called with the version that the new one comes after, None for the first, while nobody else can store; what it
    raises leaves nothing stored. `reason` says why it is stored; what is official needs one.
    """
    require_edit(principal, project)
    return store_unrestricted(principal, project, kind, content, expect, reason)


def store_unrestricted(
    principal: Principal,
    project: Project,
    kind: str,
    content: Content,
    expect: Expectation | None = None,
    reason: str = "",
) -> tuple[DocumentVersion, bool]:
    """`store` for callers that have permissions of their own (Django's admin)."""
    checked = validate(principal, kind, content)
    # What takes time is done before the transaction: on SQLite everybody else's writes wait for it.
    digest = EngineDocument(cast(DocumentKind, kind), checked["slug"], 1, checked).content_hash()
    summary = families.summary_of(checked)
    with transaction.atomic():
        document, _ = Document.objects.get_or_create(project=project, kind=kind, slug=checked["slug"])
        was_deleted = document.deleted is not None
        if was_deleted:  # a name that is used again brings its earlier versions back: runs pin them
            document.deleted = None
            document.save(update_fields=["deleted"])
        # The lock makes two people storing at once get two numbers.
        Document.objects.select_for_update().get(pk=document.pk)
        newest = document.versions.order_by("-number").defer("content").first()
        if expect is not None:
            expect(None if was_deleted else newest)
        if newest is not None and newest.content_hash == digest:
            return newest, False
        version = DocumentVersion.objects.create(
            document=document,
            number=1 if newest is None else newest.number + 1,
            schema=checked["schema"],
            title=str(checked.get("title") or checked["slug"])[:200],
            summary=summary,
            content=checked,
            content_hash=digest,
            reason=reason_words(project, reason),
            created_by_id=principal.pk,
        )
    return version, True


def validate(principal: Principal, kind: str, content: Content) -> dict[str, Any]:
    """Content as it would be stored: checked by the engines' own loaders, networks of other documents embedded.

    Raises:
        ProblemError: names the key, what was got and what is accepted.
    """
    if kind not in KINDS:
        raise ProblemError("kind", kind, f"one of {', '.join(KINDS)}")
    read = from_yaml(content) if isinstance(content, str) else content
    if not isinstance(read, ReadDocument):
        return _validated(principal, kind, as_content(read))
    try:
        return _validated(principal, kind, as_content(read.content))
    except ProblemError as error:
        line = line_of(read.lines, error.field)
        lines = [line_of(read.lines, field) for field, _, _ in error.others]
        raise ProblemError(error.field, error.got, error.accepted, line).with_others(error.others, lines) from error


def _validated(principal: Principal, kind: str, checked: dict[str, Any]) -> dict[str, Any]:
    families.family_of(checked, kind)
    wrong_slug = _slug_mistake(kind, checked.get("slug"))
    if wrong_slug is None:
        return _loaded(principal, kind, checked)
    try:
        _loaded(principal, kind, {**checked, "slug": "a-free-name"})
    except ProblemError as error:
        raise wrong_slug.with_others([(error.field, error.got, error.accepted), *error.others]) from error
    raise wrong_slug


def _slug_mistake(kind: str, slug: object) -> ProblemError | None:
    """Why a document of one's own cannot have this slug; None where it can."""
    if not isinstance(slug, str) or not _is_slug(slug):
        return ProblemError("slug", slug, f"lower-case letters, digits and hyphens, at most {_SLUG_LENGTH} characters")
    if slug in builtin_documents(cast(DocumentKind, kind)):
        return ProblemError("slug", slug, f"a name that no built-in has (for example {slug}-copy)")
    return None


def _loaded(principal: Principal, kind: str, checked: dict[str, Any]) -> dict[str, Any]:
    checked = embed_networks(checked, lambda name, wrong: resolve(principal, "workload", name, field=wrong))
    checked = families.stored(checked)
    families.load(checked, kind)
    return checked


def copy_of(principal: Principal, kind: str, slug: str, version: int | None = None) -> dict[str, Any]:
    """Content to start a new document from: the same under a slug and a title that are free."""
    source = resolve(principal, kind, slug, version)
    taken = {entry.slug for entry in list_documents(principal, kind)}
    candidates = (
        f"{source.slug}-copy{suffix}" for suffix in ("", *(f"-{number}" for number in range(2, len(taken) + 3)))
    )
    free = next(name for name in candidates if name not in taken)
    title = copy_title(principal, kind, str(source.content.get("title", source.slug)))
    return {**families.stored(source.content), "slug": free, "title": title}


def copy_title(principal: Principal, kind: str, title: str) -> str:
    """A title for a copy that no document has which `principal` may see: "Board (copy)", "Board (copy 2)"."""
    taken = {entry.title for entry in list_documents(principal, kind)}
    own = _COPY.sub("", title)
    numbers = (f" {number}" if number > 1 else "" for number in count(1))
    return next(found for number in numbers if (found := f"{own} (copy{number})") not in taken)


def visible_versions(principal: Principal) -> QuerySet[DocumentVersion]:
    """Every stored version that `principal` may see, its document and project loaded with it."""
    return visible(principal, DocumentVersion.objects.select_related("document__project", "created_by"))


def reason_words(project: Project, reason: str) -> str:
    """Why a version is stored, as it is stored.

    Raises:
        ProblemError: the document is official, and nobody says why; or it is said in too many words.
    """
    words = " ".join(reason.split())
    if len(words) > LONGEST_REASON or (project.official and not words):
        accepted = f"words that say why, at most {LONGEST_REASON} characters"
        raise ProblemError("reason", f"{len(words)} characters", accepted)
    return words


def _offered(versions: QuerySet[DocumentVersion]) -> QuerySet[DocumentVersion]:
    """Without those of documents that are retired."""
    return versions.filter(document__retired__isnull=True)


def _newest_versions(principal: Principal, kind: str | None) -> QuerySet[DocumentVersion]:
    newest = DocumentVersion.objects.filter(document=OuterRef("document")).order_by("-number").values("number")[:1]
    versions = visible_versions(principal).filter(number=Subquery(newest))
    versions = versions.filter(document__kind=kind) if kind else versions
    return versions.order_by("document__kind", "document__project__slug", "document__slug")


def entries_of(principal: Principal, documents: Iterable[Document]) -> list[DocumentEntry]:
    """The newest versions of these documents, in their order, but those that `principal` may not see."""
    wanted = [each.pk for each in documents]
    newest = {version.document_id: version for version in _newest_versions(principal, None).filter(document__in=wanted)}
    return [_stored_entry(newest[number]) for number in wanted if number in newest]


def builtin_entries(kind: str) -> list[DocumentEntry]:
    """The built-in documents of a kind, for everybody who is signed in."""
    return [entry for family in families.families(kind) for entry in _entries_of(family)]


@cache
def _entries_of(family: DocumentFamily[Any]) -> tuple[DocumentEntry, ...]:
    documents = builtin_documents(family.kind)
    return tuple(_builtin_entry(documents[slug]) for slug in family.builtins())


def _builtin_entry(document: EngineDocument) -> DocumentEntry:
    title = str(document.content.get("title", document.slug))
    listed = read_index().get(document.slug) if document.kind == "workload" else None
    summary = listed.figures.words[: families.SUMMARY_LENGTH] if listed else families.summary_of(document.content)
    return DocumentEntry(document.kind, document.slug, document.version, title, summary, True, document.content)


def _stored_entry(version: DocumentVersion) -> DocumentEntry:
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


def _locate(
    principal: Principal, kind: str, slug: str, version: int | None, field: str
) -> EngineDocument | DocumentVersion:
    project, name, version = _parts(slug, version, field)
    builtin = builtin_documents(cast(DocumentKind, kind)).get(name) if kind in KINDS else None
    if builtin is None or project is not None or not (principal.is_authenticated and principal.is_active):
        return _version_of(_find(principal, kind, project, name, field, slug), version, field)
    if version not in (None, builtin.version):
        raise ProblemError(field, f"{name}@{version}", f"version {builtin.version} of the built-in {name}")
    return builtin


def _parts(slug: str, version: int | None, field: str) -> tuple[str | None, str, int | None]:
    """Project, slug and version of a name."""
    if not isinstance(slug, str):
        raise ProblemError(field, slug, 'the name of a document: "slug", "slug@2" or "project/slug@2"')
    name, at, number = slug.partition("@")
    if at:
        digits = number.isascii() and number.isdigit() and len(number) <= _VERSION_DIGITS
        if not (digits and 0 < int(number) < 2**31) or version not in (None, int(number)):
            raise ProblemError(field, slug, 'the name of a document: "slug", "slug@2" or "project/slug@2"')
        version = int(number)
    project, slash, rest = name.rpartition("/")
    return (project, rest, version) if slash else (None, name, version)


def _find(principal: Principal, kind: str, project: str | None, name: str, field: str, got: str) -> Document:
    candidates = visible(principal, Document.objects.select_related("project")).filter(kind=kind, slug=name)
    if project is not None:
        candidates = candidates.filter(project__slug=project)
    found = list(candidates)
    # What is official never takes a name away from what one has oneself.
    found = [each for each in found if not each.project.official] or found
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(sorted(f"{document.project.slug}/{document.slug}" for document in found))
        raise ProblemError(field, got, f"one of {names}: several projects have a document of that name")
    raise UnknownDocumentError(field, got, _names_in_words(principal, kind))


def _names_in_words(principal: Principal, kind: str) -> str:
    names = sorted({entry.name for entry in list_documents(principal, kind)})
    words = f"the name of a {kind} document"
    return f"{words}: {listed(names, f'manage.py documents {kind}')}" if names else f"{words} (there are none)"


def _version_of(document: Document, number: int | None, field: str) -> DocumentVersion:
    versions = document.versions.select_related("document__project").order_by("-number")
    found = versions.first() if number is None else versions.filter(number=number).first()
    if found is None:
        accepted = ", ".join(str(each) for each in versions.values_list("number", flat=True).reverse())
        raise ProblemError(field, f"{document.slug}@{number}", f"one of the versions {accepted}")
    return found


def _is_slug(slug: str) -> bool:
    return (
        0 < len(slug) <= _SLUG_LENGTH
        and slug == slug.lower()
        and all(c.isascii() and (c.isalnum() or c == "-") for c in slug)
    )
