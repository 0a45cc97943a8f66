"""Callbacks of the page on which scenarios are built."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from dash import ALL, Input, Output, State, callback, ctx, html, no_update
from dash.exceptions import PreventUpdate

from engines.contract.errors import ProblemError
from frontend.components.states import notice
from frontend.ids.scenario import ScenarioIds as Ids
from frontend.pages.scenario.data import (
    Form,
    default_title,
    judge,
    network_choices,
    project_of,
    titled,
    where_words,
    with_network,
    with_typed,
    without_row,
)
from frontend.pages.scenario.view import conflict, mistakes, models_table, summary, work_cells
from frontend.request import current_user
from webapp.catalogue.document_edits import ChangedMeanwhileError
from webapp.catalogue.scenarios import save
from webapp.teams.visibility import NotAllowed

FIELDS = {"type": Ids.FIELD_TYPE, "row": ALL, "name": ALL}
WORK = {"type": Ids.WORK_TYPE, "row": ALL, "name": ALL}


def _typed(values: list[Any], ids: list[dict[str, Any]]) -> dict[tuple[int, str], Any]:
    return {(each["row"], each["name"]): value for each, value in zip(ids, values, strict=True)}


@callback(
    Output(Ids.FORM, "data"),
    Output(Ids.MODELS, "children"),
    Output(Ids.ADD, "value"),
    Input(Ids.ADD, "value"),
    Input({"type": Ids.REMOVE_TYPE, "row": ALL}, "n_clicks"),
    Input(Ids.FORM, "data"),
    State(FIELDS, "value"),
    State(FIELDS, "id"),
    State(Ids.PROJECT, "value"),
    prevent_initial_call=True,
)
def change_rows(
    added: str | None,
    clicks: list[int | None],
    data: dict[str, Any],
    values: list[Any],
    ids: list[dict[str, Any]],
    project_slug: str | None,
) -> Any:
    """Return a network more, a row less, or the rows of a draft; what was typed in the others stays."""
    form = Form.from_json(data)
    if ctx.triggered_id != Ids.FORM:
        form = with_typed(form, _typed(values, ids))
    if isinstance(ctx.triggered_id, dict):
        if not any(clicks):
            raise PreventUpdate
        form = without_row(form, ctx.triggered_id["row"])
    elif added:
        form = with_network(form, added)
    elif ctx.triggered_id != Ids.FORM:
        raise PreventUpdate
    principal = current_user()
    judgement = judge(principal, form, project_of(principal, project_slug))
    return form.to_json(), models_table(principal, form, judgement), None


@callback(
    Output(Ids.ADD, "data"),
    Input(Ids.ADD, "searchValue"),
    State(Ids.ADD, "data"),
    prevent_initial_call=True,
)
def find_by_name(typed: str | None, data: list[dict[str, Any]]) -> Any:
    """Offer a language model of any length once its whole name is typed."""
    found = network_choices(current_user(), (typed or "")[:100])
    return no_update if found == data else found


@callback(
    Output(Ids.SUMMARY, "children"),
    Output(Ids.MISTAKES, "children"),
    Output(Ids.WHERE, "children"),
    Output(Ids.SAVE, "disabled"),
    Output(Ids.EXPLORE, "disabled"),
    Output(Ids.TITLE, "placeholder"),
    Output(FIELDS, "error"),
    Output(WORK, "children"),
    Input(Ids.FORM, "data"),
    Input(FIELDS, "value"),
    Input(Ids.TITLE, "value"),
    Input(Ids.SOURCE, "value"),
    Input(Ids.PROJECT, "value"),
    State(FIELDS, "id"),
    State(WORK, "id"),
    State(Ids.TITLE, "placeholder"),
    prevent_initial_call=True,
)
def show(
    data: dict[str, Any],
    values: list[Any],
    title: str | None,
    source: str | None,
    project_slug: str | None,
    ids: list[dict[str, Any]],
    work_ids: list[dict[str, Any]],
    usual_title: str | None,
) -> Any:
    """Judge the form as it stands: mistakes at their fields, totals in the rail."""
    principal = current_user()
    form = with_typed(Form.from_json(data), _typed(values, ids), title=title or "", source=source or "")
    project = project_of(principal, project_slug)
    judgement = judge(principal, form, project)
    work = work_cells(form, judgement)
    wrong = judgement.scenario is None or project is None
    return (
        summary(judgement),
        mistakes(principal, form, judgement),
        where_words(principal, form, project),
        wrong,
        wrong,
        # A field that is being typed in is left alone where it can be.
        no_update if default_title(principal, form) == usual_title else default_title(principal, form),
        [bool(judgement.cells.get((each["row"], each["name"]))) for each in ids],
        [work.get((each["row"], each["name"]), no_update) for each in work_ids],
    )


@callback(
    Output(Ids.LOCATION, "href"),
    Output(Ids.SAVE_ERROR, "children"),
    Input(Ids.SAVE, "n_clicks"),
    Input(Ids.EXPLORE, "n_clicks"),
    Input({"type": Ids.SAVE_MINE_TYPE, "number": ALL}, "n_clicks"),
    State(Ids.FORM, "data"),
    State(FIELDS, "value"),
    State(FIELDS, "id"),
    State(Ids.TITLE, "value"),
    State(Ids.SOURCE, "value"),
    State(Ids.PROJECT, "value"),
    State(Ids.DRAFT, "data"),
    prevent_initial_call=True,
    running=[(Output(Ids.SAVE, "disabled"), True, False), (Output(Ids.EXPLORE, "disabled"), True, False)],
)
def store(
    saves: int | None,
    explores: int | None,
    mine: list[int | None],
    data: dict[str, Any],
    values: list[Any],
    ids: list[dict[str, Any]],
    title: str | None,
    source: str | None,
    project_slug: str | None,
    draft: dict[str, str] | None,
) -> Any:
    """Save the scenario; then its page, or a new run with it.

    Where another person was first, nothing is stored: what differs is shown, with what can be done about it.
    """
    after = ctx.triggered_id["number"] if isinstance(ctx.triggered_id, dict) else None
    if not (any(mine) if after else saves or explores):
        raise PreventUpdate
    principal = current_user()
    words = {"title": (title or "").strip(), "source": (source or "").strip()}
    form = with_typed(Form.from_json(data), _typed(values, ids), **words)
    project = project_of(principal, project_slug)
    if project is None:
        return no_update, html.Div(notice("Choose a project that you may edit.", tone="bad"))
    draft_now = titled(principal, form)
    try:
        version = save(principal, project, draft_now, after)
    except ChangedMeanwhileError as error:
        return no_update, conflict(principal, error.newest, draft_now)
    except (ProblemError, NotAllowed) as error:
        return no_update, html.Div(notice(str(error), tone="bad"))
    name = f"{project.slug}/{version.document.slug}"
    if ctx.triggered_id == Ids.EXPLORE:
        return f"/new?{urlencode({**(draft or {}), 'workload': name}, safe='/@')}", ""
    return f"/catalogue/workload/{name}", ""
