"""Deleted items, and the question before a deletion. No callbacks."""

from __future__ import annotations

from datetime import datetime

from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from engines.contract.errors import ProblemError
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.moment import moment
from frontend.components.states import empty_state, notice
from frontend.components.table import Column, plain_table
from frontend.ids.deleted_items import DeletedIds
from webapp.deletions.service import KEPT, DeletedItem, asked_about, deleted_things
from webapp.items.registry import items
from webapp.teams.permissions import NotAllowed, NotVisible, Principal

_COLUMNS = tuple(Column(title) for title in ("Kind", "What", "Project", "Deleted", "Can be restored until", ""))


def question(principal: Principal, kind: str, number: str) -> Component | None:
    """Return whether the thing of the address is to be deleted; None where the address names none that may be."""
    try:
        found = asked_about(principal, kind, number)
    except (NotVisible, NotAllowed, ProblemError):
        return None
    words = f"{items()[kind].remains} You can restore it from this page for {KEPT.days} days."
    back = items()[kind].page.format(found.number) or "/catalogue"
    acting = [
        button("Delete", id=_action("delete", found), icon="trash", kind="danger"),
        link_button("Keep it", back),
    ]
    return card(
        f"Delete the {kind} “{found.title}” of {found.project}?",
        html.Div(words, className="sm t2"),
        html.Div(acting, className="row deleted-actions"),
    )


def content(principal: Principal, told: Component | None = None) -> list[Component]:
    """Return the page: message on the last action, and all items that can be restored."""
    found, now = deleted_things(principal), timezone.now()
    if not found:
        words = f"You can restore items that were deleted in projects that you edit for {KEPT.days} days."
        listed = html.Section(empty_state("trash", "Nothing is deleted", words), className="card home-empty")
    else:
        listed = card("Deleted", plain_table(_COLUMNS, [_row(each, now) for each in found]), flush=True)
    return [*([told] if told else []), listed]


def deleted_words(found: DeletedItem) -> Component:
    """Show that an item is deleted, with a button to restore it."""
    return notice(f"The {found.kind} “{found.title}” is deleted.", " ", _undo(found, "Undo"), icon="trash")


def restored_words(found: DeletedItem) -> Component:
    """Say that an item is restored, and where it is."""
    words = f"The {found.kind} “{found.title}” is restored"
    page = items()[found.kind].page.format(found.number)
    return (
        notice(f"{words}: ", dcc.Link("open it", href=page), icon="check")
        if page
        else notice(f"{words}.", icon="check")
    )


def _row(found: DeletedItem, now: datetime) -> list[Component | str]:
    at = moment(found.at, now)
    until = f"{found.until.day} {found.until:%B %Y}"
    what = html.Span([found.title, html.Span(f" {found.number}", className="mono t3")])
    return [found.kind, what, found.project, at, until, _undo(found, "Bring back")]


def _undo(found: DeletedItem, words: str) -> Component:
    return button(words, id=_action("restore" if words != "Undo" else "undo", found), size="small", icon="refresh")


def _action(name: str, found: DeletedItem) -> dict[str, str | int]:
    return {"type": DeletedIds.ACTION_TYPE, "name": name, "kind": found.kind, "number": found.number}
