"""Callbacks of the webhooks on the page of a project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dash import ALL, Input, Output, State, callback
from dash.exceptions import PreventUpdate

from engines.contract.errors import ProblemError
from frontend.components.clicks import clicked_id
from frontend.ids.team import TeamIds
from frontend.ids.webhooks import WebhookIds
from frontend.pages.team.page import get_project
from frontend.pages.team.webhooks import WebhookView, webhooks_part
from frontend.request import current_user
from webapp.teams.models import Project
from webapp.teams.permissions import Action, NotAllowed, NotVisible, Principal, require
from webapp.webhooks import service


@callback(
    Output(WebhookIds.BODY, "children"),
    Input({"type": WebhookIds.ACTION_TYPE, "name": ALL, "number": ALL, "of": ALL}, "n_clicks"),
    State(TeamIds.PROJECT, "data"),
    State({"type": WebhookIds.FIELD_TYPE, "name": ALL}, "value"),
    State({"type": WebhookIds.FIELD_TYPE, "name": ALL}, "id"),
    prevent_initial_call=True,
)
def act_on_webhook(clicks: list[int | None], slug: str, values: list[Any], fields: list[dict[str, str]]) -> Any:
    """Perform the action of the button, and show the new state of the webhooks."""
    pressed = clicked_id(clicks)
    person, asked = current_user(), pressed
    project = get_project(person, slug)
    require(person, Action.CONNECT, project)
    given = {field["name"]: value for field, value in zip(fields, values, strict=True)}
    shown = _done(person, project, asked, given)
    typed = str(given.get("url") or ""), tuple(given.get("events") or ())
    return webhooks_part(project, shown if shown.secret else replace(shown, given=typed))


def _done(person: Principal, project: Project, asked: dict[str, Any], given: dict[str, Any]) -> WebhookView:
    name, number, of = asked["name"], asked["number"], asked["of"]
    if name == "make":
        return _made(person, project, str(given.get("url") or ""), tuple(given.get("events") or ()))
    acts: dict[str, tuple[Callable[[], object], WebhookView]] = {
        "deliveries": (lambda: None, WebhookView(opened=number)),
        "test": (lambda: service.send_test(person, number), WebhookView("A test message is queued.", opened=number)),
        "off": (
            lambda: service.change_webhook(person, number, active=False),
            WebhookView("Switched off: it gets no messages."),
        ),
        "on": (lambda: service.change_webhook(person, number, active=True), WebhookView("Switched on.", opened=number)),
        "end": (lambda: service.end_webhook(person, number), WebhookView("Ended.")),
        "again": (
            lambda: service.send_again(person, of, number),
            WebhookView("The message is queued again.", opened=of),
        ),
    }
    if name not in acts:
        raise PreventUpdate
    act, shown = acts[name]
    try:
        act()
    except (ProblemError, NotAllowed, NotVisible) as error:
        return WebhookView(str(error), "bad")
    return shown


def _made(person: Principal, project: Project, url: str, events: tuple[str, ...]) -> WebhookView:
    try:
        made, secret = service.make_webhook(person, project, url, events)
    except ProblemError as error:
        return WebhookView(str(error), "bad")
    return WebhookView(secret=secret, opened=made.pk)
