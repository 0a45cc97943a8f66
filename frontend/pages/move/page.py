"""Move or copy a run, a study, a comparison or a document to another project."""

from __future__ import annotations

from typing import Any

import dash
import dash_mantine_components as dmc
from dash import ALL, Input, Output, State, callback, html
from dash.development.base_component import Component

from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.clicks import clicked_id
from frontend.components.items.deleted_item import UNKNOWN
from frontend.components.states import empty_state, notice
from frontend.ids.move import MoveIds
from frontend.request import current_user
from webapp.items.registry import items
from webapp.moving.service import copy, movable, move, targets
from webapp.teams.errors import TeamError
from webapp.teams.permissions import Action, NotAllowed, NotVisible, Principal, may


def layout(kind: str = "", number: str = "", **_query: str) -> Component:
    """Return the page for the signed-in user."""
    person = current_user()
    if not person.is_authenticated:
        return html.Div()
    head = html.Div(html.H1("Move or copy"), className="head row")
    return html.Div([head, html.Div(_asking(person, kind, number), id=MoveIds.CONTENT, className="page stack g12")])


dash.register_page(__name__, path="/move", name="Move or copy", title="Move or copy · Paretoscope", layout=layout)


@callback(
    Output(MoveIds.CONTENT, "children"),
    Input({"type": MoveIds.ACTION_TYPE, "name": ALL, "kind": ALL, "number": ALL}, "n_clicks"),
    State(MoveIds.PROJECT, "value"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None], slug: str | None) -> Any:
    """Move or copy the item, and show its new place."""
    asked = clicked_id(clicks)
    person, kind, number = current_user(), str(asked["kind"]), asked["number"]
    try:
        done = (move if asked["name"] == "move" else copy)(person, kind, number, slug or "")
    except (TeamError, NotAllowed, NotVisible) as error:
        return [notice(str(error), tone="bad"), *_asking(person, kind, str(number), slug)]
    verb = "moved" if asked["name"] == "move" else "copied"
    words = f"The {kind} was {verb} to {done.project.title}."
    open_it = link_button("Open it", items()[kind].path(done), kind="primary")
    return [card("Done", html.Div(words, className="sm"), html.Div(open_it, className="row deleted-actions"))]


def _asking(person: Principal, kind: str, number: str, chosen: str | None = None) -> list[Component]:
    try:
        thing = movable(person, kind, number)
    except NotVisible:
        actions = [link_button("Go home", "/", size="small")]
        state = empty_state("search", "This item cannot be moved here", UNKNOWN, actions)
        return [html.Section(state, className="card home-empty")]
    projects = targets(person, thing)
    if not projects:
        words = "You are an editor of no other project."
        state = empty_state(
            "stack-2", "No project to move it to", words, [link_button("Make a project", "/team", size="small")]
        )
        return [html.Section(state, className="card home-empty")]
    moves = may(person, Action.MOVE, thing)
    select = dmc.Select(
        id=MoveIds.PROJECT, data=[{"value": each.slug, "label": each.title} for each in projects], allowDeselect=False, size="xs",
        value=chosen if any(each.slug == chosen for each in projects) else projects[0].slug, w=280, **{"aria-label": "Project"},
    )  # fmt: skip
    acts = [
        button("Move", id=_action("move", kind, thing.pk), kind="primary") if moves else None,
        button("Copy", id=_action("copy", kind, thing.pk), icon="copy", kind="plain" if moves else "primary"),
        link_button("Leave it", items()[kind].path(thing), kind="quiet"),
    ]
    words = items()[kind].companions + (" Its read-only links stop working." if moves and kind != "document" else "")
    if not moves:
        words += " Only a maintainer of its project can move it, or its owner with the role editor."
    body = [html.Div(words, className="sm t2"), html.Div([select, *acts], className="row deleted-actions")]
    return [card(f"New project of the {kind} “{items()[kind].label(thing)}” of {thing.project.title}?", *body)]


def _action(name: str, kind: str, number: int) -> dict[str, Any]:
    return {"type": MoveIds.ACTION_TYPE, "name": name, "kind": kind, "number": number}
