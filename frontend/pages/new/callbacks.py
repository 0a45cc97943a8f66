"""Callbacks of the New run page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError, ProblemError
from engines.registry import get_engine
from frontend.components.clicks import clicked_id
from frontend.components.form import field_class, format_value
from frontend.components.start import hold_start, refused, started
from frontend.components.time_limit import HELP as TIME_LIMIT_HELP
from frontend.components.time_limit import field_class as time_limit_class
from frontend.components.time_limit import read_limit
from frontend.ids.new import NewIds
from frontend.ids.shell import ShellIds
from frontend.pages.drafts import Draft, changed_words, command, specs_of, with_form
from frontend.pages.new.initial_draft import entries_of, offered
from frontend.pages.new.input_fixes import fitted_draft, mended, mends
from frontend.pages.new.sections import pick_class, sections, slot_detail
from frontend.pages.new.start_conditions import judged_state, mend_buttons
from frontend.pages.new.summary import field_help, input_titles, judge, judgement_of, summary, title_of
from frontend.request import chosen_project, current_user
from webapp.runs.errors import ChangedProblemError
from webapp.runs.service import start, visible_runs
from webapp.teams.visibility import NotAllowed, Principal

PARAMETERS = {"type": NewIds.PARAMETER_TYPE, "name": ALL}


# While one of these callbacks is asked, what is shown is about to change: nothing can be started.
_CHOOSING = [(Output(NewIds.CHOOSING, "data"), True, False)]


def _form(values: list[Any], ids: list[dict[str, str]]) -> dict[str, Any]:
    return {each["name"]: value for each, value in zip(ids, values, strict=True)}


@callback(
    Output(NewIds.DRAFT, "data"),
    Output(NewIds.SECTIONS, "children"),
    Input({"type": NewIds.ENGINE_TYPE, "name": ALL, "place": ALL}, "n_clicks"),
    State(NewIds.DRAFT, "data"),
    State(ShellIds.SCHEME, "data"),
    prevent_initial_call=True,
    running=_CHOOSING,
)
def choose_engine(clicks: list[int | None], data: dict[str, Any], scheme: Any) -> Any:
    """Change the engine: keep inputs that fit, replace the others with its defaults and report that, and reset the parameters."""
    name = clicked_id(clicks)["name"]
    if name == data["engine"]:
        raise PreventUpdate
    principal, engine = current_user(), get_engine(name)
    before = Draft.from_json(data)
    titles = input_titles(before, entries_of(principal, get_engine(before.engine), before.inputs))
    draft, note = fitted_draft(principal, engine, entries_of(principal, engine, before.inputs), before.inputs, titles)
    return draft.to_json(), _sections(principal, draft, scheme, note)


def _sections(principal: Principal, draft: Draft, scheme: Any, note: str = "") -> list[Component]:
    engine = get_engine(draft.engine)
    entries = entries_of(principal, engine, draft.inputs)
    return sections(draft, engine, offered(principal, engine), entries, scheme, note)


@callback(
    Output(NewIds.DRAFT, "data", allow_duplicate=True),
    Output(NewIds.SECTIONS, "children", allow_duplicate=True),
    Input({"type": NewIds.MEND_TYPE, "field": ALL, "value": ALL}, "n_clicks"),
    State(NewIds.DRAFT, "data"),
    State(PARAMETERS, "value"),
    State(PARAMETERS, "id"),
    State(ShellIds.SCHEME, "data"),
    prevent_initial_call=True,
    running=_CHOOSING,
)
def mend(
    clicks: list[int | None], data: dict[str, Any], values: list[Any], ids: list[dict[str, str]], scheme: Any
) -> Any:
    """Return the draft with the remedy of a button applied, and all other fields unchanged."""
    pressed = clicked_id(clicks)
    principal, before = current_user(), Draft.from_json(data)
    engine = get_engine(before.engine)
    typed = with_form(before, engine, _form(values, ids))
    entries = entries_of(principal, engine, typed.inputs)
    draft = mended(typed, engine, entries, pressed["field"], pressed["value"])
    return draft.to_json(), _sections(principal, draft, scheme)


@callback(
    Output(NewIds.DRAFT, "data", allow_duplicate=True),
    Input({"type": NewIds.PICK_TYPE, "slot": ALL, "name": ALL}, "n_clicks"),
    Input({"type": NewIds.SELECT_TYPE, "slot": ALL}, "value"),
    State({"type": NewIds.SELECT_TYPE, "slot": ALL}, "id"),
    State(NewIds.DRAFT, "data"),
    prevent_initial_call=True,
    running=_CHOOSING,
)
def choose_input(
    clicks: list[int | None], values: list[str | None], ids: list[dict[str, str]], data: dict[str, Any]
) -> Any:
    """Set another document as one of the inputs."""
    inputs = {**data["inputs"]}
    if isinstance(ctx.triggered_id, dict) and ctx.triggered_id["type"] == NewIds.PICK_TYPE:
        if not any(clicks):
            raise PreventUpdate
        inputs[ctx.triggered_id["slot"]] = ctx.triggered_id["name"]
    for each, value in zip(ids, values, strict=True):
        if value:
            inputs[each["slot"]] = value
        else:
            inputs.pop(each["slot"], None)
    if inputs == data["inputs"]:
        raise PreventUpdate
    return {**data, "inputs": inputs}


@callback(
    Output({"type": NewIds.DETAIL_TYPE, "slot": ALL}, "children"),
    Output({"type": NewIds.PICK_TYPE, "slot": ALL, "name": ALL}, "className"),
    Input(NewIds.DRAFT, "data"),
    Input(ShellIds.SCHEME, "data"),
    State({"type": NewIds.DETAIL_TYPE, "slot": ALL}, "id"),
    State({"type": NewIds.PICK_TYPE, "slot": ALL, "name": ALL}, "id"),
    prevent_initial_call=True,
)
def show_inputs(data: dict[str, Any], scheme: Any, details: list[dict[str, str]], picks: list[dict[str, str]]) -> Any:
    """Return picture, table and highlighted entries of the chosen documents."""
    draft = Draft.from_json(data)
    engine = get_engine(draft.engine)
    entries = entries_of(current_user(), engine, draft.inputs)
    shown = [
        slot_detail(each["slot"], engine, draft, entries, scheme) if each["slot"] in engine.inputs else no_update
        for each in details
    ]
    return shown, [pick_class(draft, each["slot"], each["name"]) for each in picks]


@callback(
    Output(NewIds.SUMMARY, "children"),
    Output({"type": f"{NewIds.PARAMETER_TYPE}-help", "name": ALL}, "children"),
    Output({"type": f"{NewIds.PARAMETER_TYPE}-field", "name": ALL}, "className"),
    Output({"type": NewIds.SLOT_ERROR_TYPE, "slot": ALL}, "children"),
    Output(NewIds.CHANGED, "children"),
    Output(NewIds.JUDGED, "data"),
    Output(NewIds.COMMAND, "children"),
    Output(NewIds.TITLE, "placeholder"),
    Output(NewIds.STOP_AFTER_HELP, "children"),
    Output(f"{NewIds.STOP_AFTER}-field", "className"),
    Input(NewIds.DRAFT, "data"),
    Input(PARAMETERS, "value"),
    Input(NewIds.STOP_AFTER, "value"),
    Input(NewIds.AGAIN, "data"),
    State(PARAMETERS, "id"),
    State({"type": NewIds.SLOT_ERROR_TYPE, "slot": ALL}, "id"),
    prevent_initial_call=True,
)
def show_summary(
    data: dict[str, Any],
    values: list[Any],
    limit: Any,
    again: int | None,
    ids: list[dict[str, str]],
    slots: list[dict[str, str]],
) -> Any:
    """Judge the draft as it stands: mistakes next to their fields, the rest in the rail."""
    principal, draft, form = current_user(), Draft.from_json(data), _form(values, ids)
    engine = get_engine(draft.engine)
    draft = replace(with_form(draft, engine, form), stop_after_minutes=read_limit(limit))
    entries = entries_of(principal, engine, draft.inputs)
    judgement = judge(principal, draft, engine)
    lines = field_help(engine, judgement)
    specs = {spec.name: spec for spec in specs_of(engine)}
    known = [each["name"] for each in ids]
    return (
        summary(draft, engine, entries, judgement, mend_buttons(mends(principal, draft, engine, entries, judgement))),
        [lines[name][0] if name in lines else no_update for name in known],
        [field_class(specs[name], invalid=lines[name][1]) if name in lines else no_update for name in known],
        [judgement.slots.get(each["slot"], "") for each in slots],
        changed_words(engine, draft),
        judged_state(judgement.token, data, form, limit),
        command(draft),
        title_of(draft, engine, entries),
        judgement.time_limit or TIME_LIMIT_HELP,
        time_limit_class(judgement.time_limit),
    )


@callback(
    Output(PARAMETERS, "value"),
    Input(NewIds.RESET, "n_clicks"),
    State(PARAMETERS, "id"),
    State(NewIds.DRAFT, "data"),
    prevent_initial_call=True,
    running=_CHOOSING,
)
def reset(clicks: int | None, ids: list[dict[str, str]], data: dict[str, Any]) -> Any:
    """Return all parameters back to their defaults."""
    if not clicks:
        raise PreventUpdate
    specs = {spec.name: spec for spec in specs_of(get_engine(data["engine"]))}
    return [format_value(specs[each["name"]], specs[each["name"]].default) for each in ids]


@callback(
    Output(NewIds.LOCATION, "href"),
    Output(NewIds.START_ERROR, "children"),
    Output(NewIds.JUDGED, "data", allow_duplicate=True),
    Output(NewIds.AGAIN, "data"),
    Input(NewIds.START, "n_clicks"),
    State(NewIds.DRAFT, "data"),
    State(PARAMETERS, "value"),
    State(PARAMETERS, "id"),
    State(NewIds.TITLE, "value"),
    State(NewIds.TITLE, "placeholder"),
    State(NewIds.STOP_AFTER, "value"),
    State(NewIds.JUDGED, "data"),
    prevent_initial_call=True,
    running=[(Output(NewIds.STARTING, "data"), True, False)],
)
def begin(
    clicks: int | None,
    data: dict[str, Any],
    values: list[Any],
    ids: list[dict[str, str]],
    title: str | None,
    default: str,
    limit: Any,
    judged: dict[str, Any],
) -> Any:
    """Store the run that the summary shows and go to its page; where the form says something else by now, nothing starts."""
    if not clicks:
        raise PreventUpdate
    principal, draft = current_user(), Draft.from_json(data)
    form = with_form(draft, get_engine(draft.engine), _form(values, ids))
    draft = replace(form, stop_after_minutes=read_limit(limit))
    parent = visible_runs(principal, gallery=True).filter(pk=draft.parent).first() if draft.parent else None
    try:
        name = (title or "").strip() or default
        run = start(
            principal,
            draft.document(),
            project=chosen_project(principal),
            title=name,
            parent=parent,
            token=str(judged.get("token")),
        )
    except (ChangedProblemError, EngineError, NotAllowed) as error:
        wrong = judgement_of(error) if isinstance(error, ProblemError) else None
        words = "" if wrong is None else wrong.other or ", ".join({**wrong.parameters, **wrong.slots}.values())
        return refused(error, clicks, words)
    return started(f"/runs/{run.pk}", judged)


hold_start(
    "form",
    NewIds.CHOOSING,
    NewIds.JUDGED,
    NewIds.STARTING,
    Input(NewIds.DRAFT, "data"),
    Input(PARAMETERS, "value"),
    Input(NewIds.STOP_AFTER, "value"),
    State(PARAMETERS, "id"),
)
clientside_callback(
    ClientsideFunction("pages", "newAddress"),
    Output(NewIds.DRAFT, "modified_timestamp"),
    Input(NewIds.DRAFT, "data"),
    prevent_initial_call=True,
)
clientside_callback(
    ClientsideFunction("pages", "copyText"),
    Output(NewIds.COPY, "title"),
    Input(NewIds.COPY, "n_clicks"),
    State(NewIds.COMMAND, "children"),
    prevent_initial_call=True,
)
