"""The page of a deleted item: users who may see it can restore it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import MATCH, Input, Output, callback, html
from dash.development.base_component import Component
from django.utils import timezone

from engines.contract.errors import ProblemError
from frontend.components.button import button
from frontend.components.clicks import clicked_id
from frontend.components.states import empty_state, notice
from frontend.figures.numbers import ago
from frontend.ids.deleted_items import DeletedIds
from frontend.request import current_user
from webapp.deletions.service import DeletedItem, deleted_among, restore
from webapp.teams.permissions import NotAllowed, NotVisible
from webapp.teams.visibility import Principal

UNKNOWN = "It does not exist, or it belongs to a project of which you are no member."


def gone_page(
    principal: Principal, kind: str, asked: Any, title: str, actions: Sequence[Component] = (), words: str = UNKNOWN
) -> Component:
    """Return the whole page of an address that shows nothing.

    Args:
        principal: who asks.
        kind: a deletable one.
        asked: number of the thing, or several, or of a document its kind and name ("hardware/lab/board").
        title: what is said where it is not deleted, or not for `principal` to know.
        actions: ways on.
        words: the same, why.
    """
    found = deleted_among(principal, kind, asked if isinstance(asked, list) else [asked])
    if found:
        title = f"This {kind} is deleted"
    body = html.Div(gone_lines(principal, found)) if found else words
    return nothing_page(title, body, actions, "trash" if found else "search")


def nothing_page(
    title: str, body: Component | str = UNKNOWN, actions: Sequence[Component] = (), icon: str = "search"
) -> Component:
    """Return the whole page of an address without content: the title, why, and ways on."""
    state = empty_state(icon, title, body, actions, level=1)
    return html.Div(html.Section(state, className="card home-empty"), className="page")


def gone_lines(principal: Principal, found: Sequence[DeletedItem]) -> list[Component]:
    """Return a line for each thing: by whom and when it was deleted, and *Bring back* for those who may."""
    lines = []
    for each in found:
        key = {"kind": each.kind, "number": each.number}
        back = button("Bring back", id={"type": DeletedIds.BACK_TYPE, **key}, icon="refresh", size="small")
        said = html.Span(id={"type": DeletedIds.BACK_SAID_TYPE, **key}, role="status")
        words = html.Span(f"{gone_words(principal, each)}.")
        lines.append(html.Div([words, back if each.restorable else None, said], className="row wrap gone"))
    return lines


def gone_words(principal: Principal, each: DeletedItem) -> str:
    """Return the words for a deleted thing, without a full stop: "Run 18, “Board”, was deleted by you 3 min ago"."""
    number = "" if each.kind == "document" else f" {each.number}"
    who = "you" if each.by and each.by == principal.get_username() else each.by
    by = f" by {who}" if who else ""
    return f"{each.kind.capitalize()}{number}, “{each.title}”, was deleted{by} {ago(each.at, timezone.now())}"


@callback(
    Output({"type": DeletedIds.BACK_SAID_TYPE, "kind": MATCH, "number": MATCH}, "children"),
    Input({"type": DeletedIds.BACK_TYPE, "kind": MATCH, "number": MATCH}, "n_clicks"),
    prevent_initial_call=True,
)
def bring_back(clicks: int | None) -> Any:
    """Restore the item and show a confirmation; a reload of the page shows the item."""
    asked = clicked_id([clicks])
    try:
        restore(current_user(), asked["kind"], asked["number"])
    except (NotAllowed, NotVisible, ProblemError) as error:
        return notice(str(error), tone="bad")
    return ["It is back. ", html.A("Show it", href="")]
