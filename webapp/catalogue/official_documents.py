"""Official documents: promoted from a project's document and retired by administrators, there for everybody meanwhile.

They stand on a shelf of their own, the one project that is `official`. A retired one is offered no more, but can still be read by
its name, and runs that pinned it keep its content anyway.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from engines.contract.errors import ProblemError
from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.service import reason_words, store_unrestricted
from webapp.changes.change_recorder import note
from webapp.teams.models import Project
from webapp.teams.permissions import Action, NotAllowed, NotVisible, Principal, is_official, known, may
from webapp.teams.projects import free_slug

TITLE = "Official"


def official_project() -> Project:
    """Return the shelf of what is official; made when it is wanted for the first time."""
    found = Project.objects.filter(official=True).first()
    if found is not None:
        return found
    made, _ = Project.objects.get_or_create(official=True, defaults={"slug": free_slug(TITLE), "title": TITLE})
    return made


def official_shelf(person: Principal, slug: str | None) -> Project | None:
    """Return the shelf, where `slug` names it and `person` may store there.

    It is no project of anybody's, so lists do not have it.
    """
    found = Project.objects.filter(official=True, slug=slug).first() if slug else None
    return found if found is not None and may(person, Action.EDIT, found) else None


def official_document(document: Document) -> Document | None:
    """Return the official document of that kind and name; None where there is none."""
    same = Document.objects.filter(project__official=True, kind=document.kind, slug=document.slug)
    return same.select_related("project").filter(deleted__isnull=True).first()


def promote(person: Principal, document: Document, reason: str) -> DocumentVersion:
    """Make the newest version of a project's document official: the next version of the official one of its name.

    Args:
        person: an administrator, who may read the document.
        document: document of any project but the official one.
        reason: why.

    Raises:
        NotAllowed, NotVisible: `person` is no administrator.
        ProblemError: it is official already, or the reason is missing or too long.
    """
    _require_administrator(person)
    if is_official(document):
        raise ProblemError("document", str(document), "a document that is not official yet")
    newest = document.versions.order_by("-number").first()
    if newest is None or document.deleted is not None:
        raise ProblemError("document", str(document), "a document with a version")
    with transaction.atomic():
        shelf = official_project()
        words = reason_words(shelf, reason)
        version, _ = store_unrestricted(person, shelf, document.kind, newest.content, reason=words)
        if version.document.retired is not None:
            _set_retired(version.document, None, words)
    return version


def retire(person: Principal, document: Document, reason: str) -> None:
    """Offer an official document no more.

    Raises:
        NotAllowed, NotVisible: `person` is no administrator.
        ProblemError: it is not official, or retired already, or the reason is missing or too long.
    """
    _change_retired(person, document, timezone.now(), reason)


def bring_back(person: Principal, document: Document, reason: str) -> None:
    """Offer a retired document again. Raises as `retire`."""
    _change_retired(person, document, None, reason)


def _change_retired(person: Principal, document: Document, at: datetime | None, reason: str) -> None:
    _require_administrator(person)
    if not is_official(document):
        raise ProblemError("document", str(document), "an official document")
    words = reason_words(document.project, reason)
    with transaction.atomic():
        now = Document.objects.select_for_update().get(pk=document.pk)
        if (now.retired is None) == (at is None):
            state = "a retired document" if at is None else "a document that is not retired yet"
            raise ProblemError("document", document.slug, state)
        _set_retired(document, at, words)


def _set_retired(document: Document, at: datetime | None, reason: str) -> None:
    before = document.retired
    Document.objects.filter(pk=document.pk).update(retired=at)
    document.retired = at
    values = tuple("" if each is None else each.isoformat() for each in (before, at))
    note(document, "changed", {"retired": (values[0], values[1]), "reason": ("", reason)})


def _require_administrator(person: Principal) -> None:
    if may(person, Action.ADMINISTER):
        return
    if not known(person):
        raise NotVisible("There is nothing here for people who are not signed in.")
    raise NotAllowed("Only an administrator of the site may change official documents.")
