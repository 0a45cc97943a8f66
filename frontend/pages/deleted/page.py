"""Deleted items that can be restored; `?kind=run&number=12` asks for confirmation to delete that item."""

from __future__ import annotations

from typing import Any

import dash
from dash import ALL, Input, Output, callback, html
from dash.development.base_component import Component

from engines.contract.errors import ProblemError
from frontend.components.clicks import clicked_id
from frontend.components.states import notice
from frontend.ids.deleted_items import DeletedIds
from frontend.pages.deleted.view import content, deleted_words, question, restored_words
from frontend.request import current_user
from webapp.deletions.service import delete, restore
from webapp.teams.permissions import NotAllowed, NotVisible


def layout(kind: str = "", number: str = "", **_query: str) -> Component:
    """Return the page for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    asked = question(principal, kind, number) if kind and number else None
    head = html.Div(html.H1("Deleted items"), className="head row")
    body = html.Div(
        content(principal, asked), id=DeletedIds.CONTENT, className="page catalogue", **{"aria-live": "polite"}
    )
    return html.Div([head, body])


dash.register_page(__name__, path="/deleted", name="Deleted items", title="Deleted items · Paretoscope", layout=layout)


@callback(
    Output(DeletedIds.CONTENT, "children"),
    Input({"type": DeletedIds.ACTION_TYPE, "name": ALL, "kind": ALL, "number": ALL}, "n_clicks"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None]) -> Any:
    """Delete, or bring back, and say so."""
    asked = clicked_id(clicks)
    principal = current_user()
    try:
        if asked["name"] == "delete":
            told = deleted_words(delete(principal, asked["kind"], asked["number"]))
        else:
            told = restored_words(restore(principal, asked["kind"], asked["number"]))
    except (NotAllowed, NotVisible, ProblemError) as error:
        told = notice(str(error), tone="bad")
    return content(principal, told)
