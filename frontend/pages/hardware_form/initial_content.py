"""Initial content of the page that edits hardware."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frontend.pages.catalogue.document.frame import DocumentView
from frontend.request import chosen_project
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import copy_of
from webapp.teams.permissions import Action, may
from webapp.teams.visibility import Principal, may_edit


@dataclass(frozen=True)
class InitialContent:
    """The initial content of the page.

    Attributes:
        content: the document to change, under the name that it will be saved as.
        title: title of the action.
        project: slug of the project that it will be saved in.
        pinned: the version that is edited, as `pin` writes it; None for a new document.
        reason: text of the field for the reason.
        administered: address of the document in Django's admin; "" for who has no business there.
    """

    content: Mapping[str, Any]
    title: str
    project: str
    pinned: Mapping[str, Any] | None = None
    reason: str = ""
    administered: str = ""

    @property
    def official(self) -> bool:
        """Whether the document is official, so that all projects see it."""
        return bool(self.pinned and self.pinned["official"])


def opening(principal: Principal, shown: DocumentView) -> InitialContent:
    """Return the next version of a document that `principal` may edit, else a copy under a free name."""
    entry = shown.entry
    if shown.versions and may_edit(principal, shown.versions[0]):
        newest = shown.versions[0]
        words = f"Edit {entry.title}" if shown.current else f"Restore version {entry.version} of {entry.title}"
        reason = "" if shown.current else f"Version {entry.version} again"
        admin = f"/admin/catalogue/document/{newest.document_id}/change/"
        administered = admin if entry.official and may(principal, Action.ADMINISTER) else ""
        return InitialContent(entry.content, words, str(entry.project), pin(newest), reason, administered)
    content = copy_of(principal, "hardware", entry.name, entry.version)
    content["source"] = f"changed copy of {entry.name}; {content['source']}"[:2000]
    return InitialContent(content, f"Edit a copy of {entry.title}", str(chosen_project(principal).slug))


def pin(version: DocumentVersion) -> dict[str, Any]:
    """Return the version that is edited, for a browser-side store."""
    document = version.document
    return {
        "project": document.project.slug,
        "slug": document.slug,
        "number": version.number,
        "official": document.project.official,
    }
