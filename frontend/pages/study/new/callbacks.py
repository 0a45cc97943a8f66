"""Callbacks of the form of a new study."""

from __future__ import annotations

from typing import Any

from dash import (
    ALL,
    MATCH,
    ClientsideFunction,
    Input,
    Output,
    State,
    callback,
    clientside_callback,
    ctx,
)
from dash.exceptions import PreventUpdate

from engines.contract.errors import EngineError
from engines.registry import engine_names, get_engine
from frontend.components.form import field_class, field_specs, help_text, parse_value
from frontend.components.start import hold_start, refused, started
from frontend.components.time_limit import HELP as TIME_LIMIT_HELP
from frontend.components.time_limit import field_class as time_limit_class
from frontend.components.time_limit import read_limit
from frontend.designs.run_words import engine_of
from frontend.ids.study import NewStudyIds
from frontend.pages.new.initial_draft import entries_of
from frontend.pages.study.new.form import StudyDraft, control_value, fresh_draft, judged_state, read_params
from frontend.pages.study.new.page import title_of
from frontend.pages.study.new.sections import SEEDS_HELP, control_of, sections
from frontend.pages.study.new.summary import document_text, judge, summary
from frontend.request import chosen_project, current_user
from webapp.runs.errors import ChangedProblemError
from webapp.studies.document import EACH
from webapp.studies.service import create
from webapp.teams.visibility import NotAllowed

PARAMETERS = {"type": NewStudyIds.PARAMETER_TYPE, "name": ALL}
SLOTS = {"type": NewStudyIds.SLOT_TYPE, "slot": ALL}
# While one of these callbacks is asked, what is shown is about to change: nothing can be started.
_CHOOSING = [(Output(NewStudyIds.CHOOSING, "data"), True, False)]


def _draft(
    engine: str,
    slots: list[Any],
    slot_ids: list[Any],
    values: list[Any],
    ids: list[Any],
    seeds: str | None,
    title: str | None,
    limit: Any,
) -> StudyDraft:
    raw = {each["name"]: value for each, value in zip(ids, values, strict=True)}
    inputs = {each["slot"]: tuple(chosen or ()) for each, chosen in zip(slot_ids, slots, strict=True)}
    params = read_params(get_engine(engine), raw)
    return StudyDraft(engine, inputs, params, seeds or "", (title or "").strip(), read_limit(limit))


@callback(
    Output(NewStudyIds.SECTIONS, "children"),
    Input(NewStudyIds.ENGINE, "value"),
    State(SLOTS, "value"),
    State(SLOTS, "id"),
    prevent_initial_call=True,
    running=_CHOOSING,
)
def choose_engine(name: str, slots: list[Any], slot_ids: list[Any]) -> Any:
    """Change the engine: keep inputs that fit, and set its default parameters."""
    principal, engine = current_user(), get_engine(name)
    entries = entries_of(principal, engine)
    kept = {each["slot"]: ",".join(chosen or ()) for each, chosen in zip(slot_ids, slots, strict=True)}
    draft = fresh_draft(engine, {slot: [e.name for e in found] for slot, found in entries.items()}, kept)
    engines = [found for found in map(engine_of, engine_names()) if found]
    return sections(draft, engine, engines, entries)


@callback(
    Output({"type": NewStudyIds.SLOT_TYPE, "slot": MATCH}, "value"),
    Input({"type": NewStudyIds.SLOT_ALL_TYPE, "slot": MATCH}, "n_clicks"),
    State({"type": NewStudyIds.SLOT_TYPE, "slot": MATCH}, "data"),
    prevent_initial_call=True,
    running=_CHOOSING,
)
def choose_all(clicks: int | None, data: list[dict[str, str]]) -> Any:
    """Return every document that fits."""
    if not clicks:
        raise PreventUpdate
    return [each["value"] for each in data]


@callback(
    Output({"type": NewStudyIds.CONTROL_TYPE, "name": MATCH}, "children"),
    Input({"type": NewStudyIds.EACH_TYPE, "name": MATCH}, "checked"),
    State({"type": NewStudyIds.PARAMETER_TYPE, "name": MATCH}, "value"),
    State({"type": NewStudyIds.EACH_TYPE, "name": MATCH}, "id"),
    State(NewStudyIds.ENGINE, "value"),
    prevent_initial_call=True,
    running=_CHOOSING,
)
def vary(each: bool, value: Any, which: dict[str, str], engine: str) -> Any:
    """Return a parameter becomes an axis, or one value again; what was typed stays."""
    if isinstance(value, list) == each:
        raise PreventUpdate
    spec = next(spec for spec in field_specs(get_engine(engine).Params) if spec.name == which["name"])
    typed = {EACH: [parse_value(spec, one) for one in value]} if isinstance(value, list) else parse_value(spec, value)
    if isinstance(value, list) and not value:
        typed = spec.default
    return control_of(spec, control_value(spec, typed, each))


@callback(
    Output(NewStudyIds.SUMMARY, "children"),
    Output({"type": f"{NewStudyIds.PARAMETER_TYPE}-help", "name": ALL}, "children"),
    Output({"type": f"{NewStudyIds.PARAMETER_TYPE}-field", "name": ALL}, "className"),
    Output({"type": NewStudyIds.SLOT_ERROR_TYPE, "slot": ALL}, "children"),
    Output(NewStudyIds.SEEDS_HELP, "children"),
    Output(NewStudyIds.SEEDS_HELP, "className"),
    Output(NewStudyIds.JUDGED, "data"),
    Output(NewStudyIds.DOCUMENT, "children"),
    Output(NewStudyIds.TITLE, "placeholder"),
    Output(NewStudyIds.STOP_AFTER_HELP, "children"),
    Output(f"{NewStudyIds.STOP_AFTER}-field", "className"),
    Input(SLOTS, "value"),
    Input(PARAMETERS, "value"),
    Input(NewStudyIds.SEEDS, "value"),
    Input(NewStudyIds.TITLE, "value"),
    Input(NewStudyIds.STOP_AFTER, "value"),
    Input(NewStudyIds.AGAIN, "data"),
    State(NewStudyIds.ENGINE, "value"),
    State(SLOTS, "id"),
    State(PARAMETERS, "id"),
    prevent_initial_call=True,
)
def show_summary(
    slots: list[Any],
    values: list[Any],
    seeds: str,
    title: str,
    limit: Any,
    again: int | None,
    engine: str,
    slot_ids: list[Any],
    ids: list[Any],
) -> Any:
    """Judge every cell as the form stands: mistakes next to their fields, cells and time in the rail."""
    draft = _draft(engine, slots, slot_ids, values, ids, seeds, title, limit)
    judgement, found = judge(current_user(), draft), get_engine(engine)
    specs = {spec.name: spec for spec in field_specs(found.Params)}
    # By the ids of the outputs: a field that became an axis or one value again stands last among the inputs alone.
    helps, fields, errors = ([each["id"] for each in part] for part in ctx.outputs_list[1:4])
    wrong = judgement.parameters
    return (
        summary(found, judgement),
        [wrong.get(each["name"]) or help_text(specs[each["name"]]) for each in helps],
        [field_class(specs[each["name"]], invalid=each["name"] in wrong) for each in fields],
        [judgement.slots.get(each["slot"], "") for each in errors],
        judgement.seeds or SEEDS_HELP,
        "sm bad" if judgement.seeds else "sm t3",
        judged_state(
            judgement.token,
            {each["slot"]: chosen for each, chosen in zip(slot_ids, slots, strict=True)},
            {each["name"]: value for each, value in zip(ids, values, strict=True)},
            (engine, seeds, limit),
        ),
        document_text(draft),
        title_of(judgement),
        judgement.time_limit or TIME_LIMIT_HELP,
        time_limit_class(judgement.time_limit),
    )


@callback(
    Output(NewStudyIds.LOCATION, "href"),
    Output(NewStudyIds.START_ERROR, "children"),
    Output(NewStudyIds.JUDGED, "data", allow_duplicate=True),
    Output(NewStudyIds.AGAIN, "data"),
    Input(NewStudyIds.START, "n_clicks"),
    State(SLOTS, "value"),
    State(SLOTS, "id"),
    State(PARAMETERS, "value"),
    State(PARAMETERS, "id"),
    State(NewStudyIds.SEEDS, "value"),
    State(NewStudyIds.TITLE, "value"),
    State(NewStudyIds.STOP_AFTER, "value"),
    State(NewStudyIds.ENGINE, "value"),
    State(NewStudyIds.JUDGED, "data"),
    prevent_initial_call=True,
    running=[(Output(NewStudyIds.STARTING, "data"), True, False)],
)
def begin(
    clicks: int | None,
    slots: list[Any],
    slot_ids: list[Any],
    values: list[Any],
    ids: list[Any],
    seeds: str,
    title: str,
    limit: Any,
    engine: str,
    judged: dict[str, Any],
) -> Any:
    """Store the study that the summary shows and go to its page; where the form says something else by now, nothing starts."""
    if not clicks or ctx.triggered_id != NewStudyIds.START:
        raise PreventUpdate
    draft = _draft(engine, slots, slot_ids, values, ids, seeds, title, limit)
    try:
        study = create(current_user(), draft.document(), project=chosen_project(), token=str(judged.get("token")))
    except (ChangedProblemError, EngineError, NotAllowed) as error:
        return refused(error, clicks)
    return started(f"/studies/{study.pk}", judged)


hold_start(
    "study",
    NewStudyIds.CHOOSING,
    NewStudyIds.JUDGED,
    NewStudyIds.STARTING,
    Input(SLOTS, "value"),
    Input(PARAMETERS, "value"),
    Input(NewStudyIds.ENGINE, "value"),
    Input(NewStudyIds.SEEDS, "value"),
    Input(NewStudyIds.STOP_AFTER, "value"),
    State(SLOTS, "id"),
    State(PARAMETERS, "id"),
)
clientside_callback(
    ClientsideFunction("study", "newAddress"),
    Output(NewStudyIds.ADDRESS, "data"),
    Input(NewStudyIds.ENGINE, "value"),
    Input(SLOTS, "value"),
    State(SLOTS, "id"),
    prevent_initial_call=True,
)
