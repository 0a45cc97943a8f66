"""Callbacks that add units to a board and remove them."""

from __future__ import annotations

from typing import Any

from dash import ALL, Input, Output, State, callback, ctx, no_update
from dash.exceptions import PreventUpdate

from engines.contract.errors import ProblemError
from engines.documents import families
from frontend.components.states import notice
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import draft_json
from frontend.pages.hardware_form.draft_callbacks import source_words
from frontend.pages.hardware_form.view import form_body
from hardware.errors import HardwareError
from hardware.soc.unit_edits import with_unit, without_unit

_CORRECT_FIRST = "Correct the fields above first: units can be changed in a valid document only."


@callback(
    Output(Ids.FORM, "children", allow_duplicate=True),
    Output(Ids.DRAFT, "data", allow_duplicate=True),
    Output(Ids.UNIT_ERROR, "children"),
    Input(Ids.UNIT_ADD, "n_clicks"),
    Input({"type": Ids.UNIT_REMOVE_TYPE, "name": ALL}, "n_clicks"),
    State(Ids.UNIT_NAME, "value"),
    State(Ids.UNIT_LIKE, "value"),
    State(Ids.DRAFT, "data"),
    prevent_initial_call=True,
)
def change_units(
    added: int | None, removed: list[int | None], name: str | None, like: str | None, draft: dict[str, Any]
) -> Any:
    """Return the form of the board with one unit more or less."""
    source = ctx.triggered_id
    if not (added if source == Ids.UNIT_ADD else any(removed)):
        raise PreventUpdate
    content = draft["content"]
    if draft["mistakes"] or content is None:
        return no_update, no_update, notice(_CORRECT_FIRST, tone="warn")
    try:
        if isinstance(source, dict):
            changed = without_unit(content, str(source["name"]))
        else:
            changed = with_unit(content, (name or "").strip(), str(like), source_words())
        families.load(changed, "hardware")
    except (ProblemError, HardwareError) as error:
        return no_update, no_update, notice(str(error), tone="bad")
    return form_body(changed, source_words()), draft_json(changed, []), ""
