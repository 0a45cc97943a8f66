"""Edits of shared documents: an edit is refused if the document has a version that the user has not seen."""

from __future__ import annotations

from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.service import Expectation
from webapp.teams.visibility import Principal, visible


class ChangedMeanwhileError(Exception):
    """Somebody else has stored a version since; `newest` is it, without its content."""

    def __init__(self, newest: DocumentVersion) -> None:
        self.newest = newest
        super().__init__(f"Version {newest.number} of {newest.document.slug} was stored in the meantime.")


def only_after(number: int) -> Expectation:
    """Return a condition that lets a version be stored only as the successor of that number; 0 for the first version.

    A document that is not there any more is made again.

    Raises (when it is called):
        ChangedMeanwhileError: the newest version is another one.
    """

    def check(newest: DocumentVersion | None) -> None:
        if newest is not None and newest.number != number:
            raise ChangedMeanwhileError(newest)

    return check


def stored_version(
    principal: Principal, kind: str, project: str, slug: str, number: int | None = None
) -> DocumentVersion | None:
    """Return a version of a project's document, the newest by default; None where there is none that `principal` may see."""
    documents = visible(principal, Document.objects.all()).filter(kind=kind, project__slug=project, slug=slug)
    versions = DocumentVersion.objects.filter(document__in=documents).select_related("document__project", "created_by")
    return (versions if number is None else versions.filter(number=number)).order_by("-number").first()
