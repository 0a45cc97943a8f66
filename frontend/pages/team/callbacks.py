"""Callbacks of the page of a project: members, roles, invitations, its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dash import ALL, Input, Output, State, callback, ctx, no_update
from dash.exceptions import PreventUpdate

from frontend.components.clicks import clicked_id
from frontend.components.draft import stored_mark
from frontend.components.states import notice
from frontend.ids.team import TeamIds
from frontend.pages.team.page import get_project
from frontend.pages.team.view import ActionOutcome, project_view
from frontend.request import choose_project, current_user
from webapp.teams import projects
from webapp.teams.errors import TeamError
from webapp.teams.invitations import invite, withdraw
from webapp.teams.models import Project
from webapp.teams.permissions import Action, NotAllowed, NotVisible, Principal, may


@callback(
    Output(TeamIds.CREATE_ERROR, "children"),
    Input(TeamIds.CREATE, "n_clicks"),
    Input(TeamIds.NEW_TITLE, "n_submit"),
    State(TeamIds.NEW_TITLE, "value"),
    prevent_initial_call=True,
)
def create(clicks: int | None, submits: int | None, title: str | None) -> Any:
    """Make a project, choose it, and go to its page."""
    if not clicks and not submits:
        raise PreventUpdate
    try:
        project = projects.create_project(current_user(), title or "")
    except TeamError as error:
        return notice(str(error), tone="bad")
    choose_project(project)
    return stored_mark(leads_to=f"/team/{project.slug}")


@callback(
    Output(TeamIds.BODY, "children"),
    Output(TeamIds.LOCATION, "href"),
    Input({"type": TeamIds.ACTION_TYPE, "name": ALL, "number": ALL}, "n_clicks"),
    State(TeamIds.PROJECT, "data"),
    State({"type": TeamIds.FIELD_TYPE, "name": ALL}, "value"),
    State({"type": TeamIds.FIELD_TYPE, "name": ALL}, "id"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None], slug: str, values: list[Any], fields: list[dict[str, str]]) -> Any:
    """Perform the action of the button, and show the new state of the project."""
    pressed = clicked_id(clicks)
    person, name, number = current_user(), pressed["name"], pressed["number"]
    project = get_project(person, slug)
    given = _typed(values, fields)
    told = _done(person, project, name, number, given)
    if not may(person, Action.VIEW, project):
        return no_update, "/team"
    return project_view(person, project, replace(told, typed=given)), no_update


@callback(
    Output(TeamIds.BODY, "children", allow_duplicate=True),
    Input({"type": TeamIds.ROLE_TYPE, "number": ALL}, "value"),
    State(TeamIds.PROJECT, "data"),
    State({"type": TeamIds.FIELD_TYPE, "name": ALL}, "value"),
    State({"type": TeamIds.FIELD_TYPE, "name": ALL}, "id"),
    prevent_initial_call=True,
)
def change_role(_roles: list[str], slug: str, values: list[Any], fields: list[dict[str, str]]) -> Any:
    """Give the member the role that was chosen; the list as it is then, also where that was refused."""
    if not isinstance(ctx.triggered_id, dict) or not ctx.triggered:
        raise PreventUpdate
    person, role = current_user(), str(ctx.triggered[0]["value"])
    project, number = get_project(person, slug), ctx.triggered_id["number"]
    member = (
        project.memberships.filter(user_id=number).select_related("user").first() if projects.is_key(number) else None
    )
    if member is not None and member.role == role:  # a list that has just been drawn
        raise PreventUpdate
    told = _told(
        lambda: projects.change_role(person, project, number, role), f"{member.user if member else ''} is {role} now."
    )
    return project_view(person, project, replace(told, typed=_typed(values, fields)))


def _typed(values: list[Any], fields: list[dict[str, str]]) -> dict[str, str]:
    return {field["name"]: str(value or "") for field, value in zip(fields, values, strict=True)}


def _done(person: Principal, project: Project, name: str, number: Any, given: dict[str, str]) -> ActionOutcome:
    if name == "invite":
        return _invited(person, project, given)
    acts: dict[str, tuple[Callable[[], object], str]] = {
        "rename": (lambda: projects.rename_project(person, project, given.get("title", "")), ""),
        "leave": (lambda: projects.leave(person, project), ""),
        "remove": (lambda: projects.remove_member(person, project, number), "Member removed. Their items stay here."),
        "hand-over": (
            lambda: projects.hand_over(person, project, number),
            "Project transferred. You are an editor now.",
        ),
        "withdraw": (lambda: withdraw(person, project, number), "Invitation withdrawn: its link no longer works."),
    }
    if name not in acts:
        raise PreventUpdate
    told = _told(*acts[name])
    return replace(told, renamed=name == "rename" and told.tone == "plain")


def _invited(person: Principal, project: Project, given: dict[str, str]) -> ActionOutcome:
    days = given.get("days", "")
    try:
        made = invite(
            person, project, given.get("whom", ""), given.get("role", ""), int(days) if projects.is_key(days) else 0
        )
    except (TeamError, NotAllowed, NotVisible) as error:
        return ActionOutcome(str(error), "bad")
    return ActionOutcome(invited=made)


def _told(act: Callable[[], object], words: str) -> ActionOutcome:
    try:
        act()
    except (TeamError, NotAllowed, NotVisible) as error:
        return ActionOutcome(str(error), "bad")
    return ActionOutcome(words)
