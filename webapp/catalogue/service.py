"""The catalogue for pages, the REST interface and commands.

Built-in documents are files and visible to everybody who is logged in; all others belong to a project. A document is
named by its slug, "slug@version", or "project/slug@version" where several projects use the same slug.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.db import transaction

from engines.contract.engine import Document as EngineDocument
from engines.contract.errors import ProblemError
from engines.documents import families
from hardware.errors import Remedy
from hardware.family import DocumentKind
from webapp.catalogue.content_checks import Content, validate
from webapp.catalogue.copies import copy_of, copy_title
from webapp.catalogue.entries import (
    DocumentEntry,
    DocumentLines,
    builtin_entries,
    entries_of,
    list_documents,
)
from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.names import UnknownDocumentError, get_entry, resolve, versions_of
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, require_edit

__all__ = [
    "LONGEST_REASON",
    "DocumentEntry",
    "DocumentLines",
    "Expectation",
    "NameTakenError",
    "UnknownDocumentError",
    "builtin_entries",
    "copy_of",
    "copy_title",
    "entries_of",
    "get_entry",
    "list_documents",
    "reason_words",
    "resolve",
    "store",
    "store_unrestricted",
    "store_version",
    "validate",
    "versions_of",
]

LONGEST_REASON = 500


class NameTakenError(ProblemError):
    """Other content would become the next version of a document that its author may not have meant.

    Attributes:
        kind, document: kind and document of what is there, as "project/slug".
        version: number of its newest version.
    """

    code = "name-taken"

    def __init__(self, newest: DocumentVersion) -> None:
        document = newest.document
        self.kind, self.version = document.kind, newest.number
        self.document = f"{document.project.slug}/{document.slug}"
        ways: list[str | Remedy] = [
            "Give another name.",
            Remedy(f"Set next_version to store version {self.version + 1}.", "next_version", True),
        ]
        super().__init__("name", f"{self.document}@{self.version}", "a free name", remedies=ways)
        there = f"{self.document} exists already, and version {self.version} has other content."
        self.args = (f"{there} Nothing is stored.",)


Expectation = Callable[[DocumentVersion | None], None]


def store_version(principal: Principal, project: Project, kind: str, content: Content) -> DocumentVersion:
    """Validate content and store it as the next version of the document that its `slug` names.

    Content equal to the newest version's gives that version back.

    Args:
        principal: who stores; an editor or maintainer of `project`.
        project: project of the document.
        kind: kind of the document.
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
    *,
    unasked: bool = True,
) -> tuple[DocumentVersion, bool]:
    """Store a version like `store_version`, and return it with whether it is new.

    `expect` is called with the version that the new one comes after, None for the first, while nobody else can store; what it
    raises leaves nothing stored. `reason` says why it is stored; what is official needs one. With `unasked` False, `NameTakenError`
    is raised where a document of that name has other content.
    """
    require_edit(principal, project)
    return store_unrestricted(principal, project, kind, content, expect, reason, unasked=unasked)


def store_unrestricted(
    principal: Principal,
    project: Project,
    kind: str,
    content: Content,
    expect: Expectation | None = None,
    reason: str = "",
    *,
    unasked: bool = True,
) -> tuple[DocumentVersion, bool]:
    """Return `store` for callers that have permissions of their own (Django's admin)."""
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
        if newest is not None and not unasked and not was_deleted:
            raise NameTakenError(newest)
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


def reason_words(project: Project, reason: str) -> str:
    """Return why a version is stored, as it is stored.

    Raises:
        ProblemError: the document is official, and nobody says why; or it is said in too many words.
    """
    words = " ".join(reason.split())
    if len(words) > LONGEST_REASON or (project.official and not words):
        accepted = f"words that say why, at most {LONGEST_REASON} characters"
        raise ProblemError("reason", f"{len(words)} characters", accepted)
    return words
