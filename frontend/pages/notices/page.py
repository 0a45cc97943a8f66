"""Notices: notes that mention the user, on items that the user may see."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import dash
from dash import ALL, Input, Output, callback, dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from frontend.components.button import button
from frontend.components.card import card
from frontend.components.clicks import clicked_id
from frontend.components.moment import moment
from frontend.components.shell.shell_live import bell_count
from frontend.components.states import empty_state
from frontend.ids.notes_and_tags import NoticeIds
from frontend.ids.shell import ShellIds
from frontend.request import current_user
from webapp.annotations.notices import NoticeLine, mark_read, notices_of
from webapp.teams.permissions import Principal


def layout(**_query: str) -> Component:
    """Return the page for the signed-in user."""
    person = current_user()
    if not person.is_authenticated:
        return html.Div()
    head = html.Div(html.H1("Notices"), className="head row")
    body = html.Div(content(person), id=NoticeIds.CONTENT, className="page catalogue", **{"aria-live": "polite"})
    return html.Div([head, body])


dash.register_page(__name__, path="/notices", name="Notices", title="Notices · Paretoscope", layout=layout)


def content(person: Principal) -> Component:
    """Return all notices, the newest first."""
    lines, now = notices_of(person), timezone.now()
    if not lines:
        words = "A note that mentions you, with @ and the name of your account, appears here."
        return html.Section(empty_state("bell", "No notices", words), className="card home-empty")
    unread = any(line.unread for line in lines)
    every = button("Mark all as read", id=_action("all", 0), size="small", icon="check") if unread else None
    return card("Mentions of you", html.Div([_line(each, now) for each in lines], className="notices"), actions=[every])


def _line(line: NoticeLine, now: datetime) -> Component:
    read = button("Mark as read", id=_action("one", line.number), size="small", kind="quiet") if line.unread else None
    when = moment(line.at, now, "xs t3 nw")
    dot = html.Span(className="dot acc", title="new") if line.unread else html.Span(className="dot none")
    said = html.Div(
        [
            html.Div(
                [html.Span(line.who, className="b"), " at ", dcc.Link(line.title, href=line.place)], className="sm"
            ),
            html.Div(line.words, className="sm t2 two-lines"),
        ],
        className="grow",
    )
    return html.Div([dot, said, when, read], className="row g12 notice-line")


def _action(name: str, number: int) -> dict[str, Any]:
    return {"type": NoticeIds.ACTION_TYPE, "name": name, "number": number}


@callback(
    Output(NoticeIds.CONTENT, "children"),
    Output(ShellIds.NOTICES, "children", allow_duplicate=True),
    Input({"type": NoticeIds.ACTION_TYPE, "name": ALL, "number": ALL}, "n_clicks"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None]) -> Any:
    """Mark one notice, or all, as read."""
    asked = clicked_id(clicks)
    person = current_user()
    mark_read(person, None if asked["name"] == "all" else asked["number"])
    return content(person), bell_count(person)
