"""Callbacks of the dialog: show who has access, make a link, end one."""

from __future__ import annotations

from typing import Any

from dash import ALL, Input, Output, State, callback
from dash.exceptions import PreventUpdate

from frontend.components.clicks import clicked_id
from frontend.ids.share import ShareIds
from frontend.pages.share.view import ActionOutcome, share_view
from frontend.request import current_user
from webapp.sharing.service import make_link, revoke, share_again
from webapp.teams.errors import TeamError
from webapp.teams.permissions import NotAllowed, Principal
from webapp.teams.projects import is_key


@callback(
    Output(ShareIds.BODY, "children"),
    Input(ShareIds.OPEN, "n_clicks"),
    State(ShareIds.THING, "data"),
    prevent_initial_call=True,
)
def show(clicks: int | None, thing: dict[str, Any]) -> Any:
    """Return the people and links, as they are when the dialog opens."""
    if not clicks:
        raise PreventUpdate
    return share_view(current_user(), thing["kind"], thing["number"])


@callback(
    Output(ShareIds.BODY, "children", allow_duplicate=True),
    Input({"type": ShareIds.ACTION_TYPE, "name": ALL, "number": ALL}, "n_clicks"),
    State({"type": ShareIds.FIELD_TYPE, "name": ALL}, "value"),
    State({"type": ShareIds.FIELD_TYPE, "name": ALL}, "id"),
    State(ShareIds.THING, "data"),
    prevent_initial_call=True,
)
def act(clicks: list[int | None], values: list[Any], fields: list[dict[str, str]], thing: dict[str, Any]) -> Any:
    """Make or end a link, and show the links as they are then."""
    pressed = clicked_id(clicks)
    person, kind, number = current_user(), thing["kind"], thing["number"]
    given = {field["name"]: str(value or "") for field, value in zip(fields, values, strict=True)}
    return share_view(person, kind, number, _done(person, kind, number, pressed, given))


def _done(person: Principal, kind: str, number: Any, button: dict[str, Any], given: dict[str, str]) -> ActionOutcome:
    days = given.get("days", "")
    try:
        if button["name"] == "make":
            return ActionOutcome(
                made=make_link(person, kind, number, int(days) if is_key(days) else 0, given.get("note", ""))
            )
        if button["name"] == "again":
            return ActionOutcome(made=share_again(person, kind, number, button["number"]))
        if button["name"] == "revoke":
            revoke(person, kind, number, button["number"])
    except (TeamError, NotAllowed) as error:
        return ActionOutcome(str(error))
    return ActionOutcome()
