"""Which document, and which version of it, a name stands for: "slug", "slug@2" or "project/slug@2"."""

from __future__ import annotations

from typing import cast

from engines.contract.engine import Document as EngineDocument
from engines.contract.errors import ProblemError
from engines.documents import families
from engines.documents.accepted_documents import listed
from engines.documents.builtin import builtin_documents
from hardware.family import DocumentKind
from webapp.catalogue.entries import DocumentEntry, builtin_entry, list_documents, stored_entry, visible_versions
from webapp.catalogue.models import KINDS, Document, DocumentVersion
from webapp.teams.permissions import offered_builtins
from webapp.teams.visibility import Principal, visible

_VERSION_DIGITS = 10  # Python refuses to read numbers of thousands of digits


class UnknownDocumentError(ProblemError):
    """No document of that name is visible."""


def resolve(
    principal: Principal, kind: str, slug: str, version: int | None = None, *, field: str | None = None
) -> EngineDocument:
    """Return the document version that a name stands for, in the newest schema.

    Args:
        principal: who asks.
        kind: requested kind of document.
        slug: "slug", "slug@2" or "project/slug@2".
        version: version number; the newest if neither this nor the name states one.
        field: field that `ProblemError` names; the kind by default.

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
    """Return the document version that a name stands for, as lists show it.

    Raises:
        ProblemError: as `resolve`.
    """
    found = _locate(principal, kind, slug, version, kind)
    return builtin_entry(found) if isinstance(found, EngineDocument) else stored_entry(found)


def versions_of(principal: Principal, kind: str, slug: str) -> list[DocumentVersion]:
    """Return all stored versions of a document, newest first; none for a built-in, which has only one.

    Raises:
        ProblemError: as `resolve`.
    """
    found = _locate(principal, kind, slug, None, kind)
    if isinstance(found, EngineDocument):
        return []
    return list(visible_versions(principal).filter(document=found.document).order_by("-number").defer("content"))


def _locate(
    principal: Principal, kind: str, slug: str, version: int | None, field: str
) -> EngineDocument | DocumentVersion:
    project, name, version = _parts(slug, version, field)
    builtin = builtin_documents(cast(DocumentKind, kind)).get(name) if kind in KINDS else None
    if builtin is None or project is not None or not offered_builtins(principal):
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
        raise ProblemError(field, got, f"one of {names}", reason="Several projects have a document of that name.")
    raise UnknownDocumentError(field, got, _names_in_words(principal, kind))


def _names_in_words(principal: Principal, kind: str) -> str:
    names = sorted({entry.name for entry in list_documents(principal, kind)})
    words = f"the name of a {kind} document"
    return f"{words}: {listed(names, f'paretoscope documents {kind}')}" if names else f"{words} (there are none)"


def _version_of(document: Document, number: int | None, field: str) -> DocumentVersion:
    versions = document.versions.select_related("document__project").order_by("-number")
    found = versions.first() if number is None else versions.filter(number=number).first()
    if found is None:
        accepted = ", ".join(str(each) for each in versions.values_list("number", flat=True).reverse())
        raise ProblemError(field, f"{document.slug}@{number}", f"one of the versions {accepted}")
    return found
