"""The numbered sections of the form of a new study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Engine, InputKind
from frontend.components.form import (
    FieldSpec,
    changed_values,
    field_class,
    field_specs,
    form_field,
    help_text,
    in_tiers,
    parse_value,
)
from frontend.ids.study import NewStudyIds
from frontend.pages.new.sections import section
from frontend.pages.study.new.form import StudyDraft, can_vary, control_value, is_each
from webapp.catalogue.service import DocumentEntry

Entries = Mapping[str, Sequence[DocumentEntry]]
SEEDS_HELP = "One run per seed in every combination: 0-2 or 1, 5, 9"


def sections(draft: StudyDraft, engine: Engine, engines: Sequence[Engine], entries: Entries) -> list[Component]:
    """Return engine, one section per input slot, parameters, seeds."""
    slots = [
        _slot_section(number, slot, kind, draft, entries[slot])
        for number, (slot, kind) in enumerate(engine.inputs.items(), start=2)
    ]
    return [
        _engine_section(engine, engines),
        *slots,
        _parameter_section(len(slots) + 2, engine, draft),
        _seed_section(len(slots) + 3, draft),
    ]


def _engine_section(engine: Engine, engines: Sequence[Engine]) -> Component:
    select: Component = dmc.Select(
        id=NewStudyIds.ENGINE,
        data=[{"value": each.name, "label": each.title} for each in engines],
        value=engine.name,
        allowDeselect=False,
        size="xs",
        w=250,
        **{"aria-label": "Engine"},
    )
    words = html.Span(engine.summary, className="sm t2")
    return section(1, "Engine", html.Div([select, words], className="card row g16 study-section"))


def _slot_section(
    number: int, slot: str, kind: InputKind, draft: StudyDraft, entries: Sequence[DocumentEntry]
) -> Component:
    chosen = list(draft.inputs.get(slot, ()))
    data = [{"value": entry.name, "label": entry.title} for entry in entries]
    data += [{"value": slug, "label": slug} for slug in chosen if slug not in {entry.name for entry in entries}]
    select: Component = dmc.MultiSelect(
        id={"type": NewStudyIds.SLOT_TYPE, "slot": slot},
        data=data,
        value=chosen,
        searchable=True,
        clearable=True,
        hidePickedOptions=True,
        size="xs",
        nothingFoundMessage="No such document",
        placeholder="" if chosen else kind.title,
        **{"aria-label": kind.title},
    )
    error = html.Div(id={"type": NewStudyIds.SLOT_ERROR_TYPE, "slot": slot}, className="slot-error", role="alert")
    every = html.Button(
        f"All {len(entries)}", id={"type": NewStudyIds.SLOT_ALL_TYPE, "slot": slot}, className="link", type="button"
    )
    body = html.Div([select, html.Div(kind.help, className="xs t3")], className="card stack study-section")
    return section(number, kind.title, body, error, right=[every])


def _parameter_section(number: int, engine: Engine, draft: StudyDraft) -> Component:
    specs = field_specs(engine.Params)
    fields = {spec.name: parameter(spec, draft) for spec in specs}
    form = in_tiers(specs, fields, changed_values(specs, {**draft.params}))
    body = html.Div(form, className="card new-form")
    right = [html.Span("each: one combination per value", className="sm t3")]
    return section(number, "Parameters", body, right=right, done=False)


def parameter(spec: FieldSpec, draft: StudyDraft) -> Component:
    """Return the field of a parameter with its "each" switch."""
    value = draft.params.get(spec.name, spec.default)
    each = is_each(value)
    control = html.Div(
        control_of(spec, control_value(spec, value, each)), id={"type": NewStudyIds.CONTROL_TYPE, "name": spec.name}
    )
    switch: Component | None = None
    if can_vary(spec):
        switch = dmc.Checkbox(
            id={"type": NewStudyIds.EACH_TYPE, "name": spec.name},
            label="each",
            checked=each,
            size="xs",
            className="study-each",
            **{"aria-label": f"{spec.title}: each of several values"},
        )
    wide = "wide" in field_class(spec).split()
    return html.Div([control, switch], className="study-field field wide" if wide else "study-field field")


def control_of(spec: FieldSpec, value: str | list[str]) -> Component:
    """Return the field itself: several values where `value` is a list, else as in the form of one run."""
    if not isinstance(value, list):
        return form_field(spec, parse_value(spec, value), NewStudyIds.PARAMETER_TYPE)
    name, id_type = spec.name, NewStudyIds.PARAMETER_TYPE
    return html.Div(
        [
            html.Label(spec.title, title=name, id=f"{id_type}-{name}-label"),
            _several(spec, value),
            html.Div(html.Span(help_text(spec), id={"type": f"{id_type}-help", "name": name}), className="h"),
        ],
        id={"type": f"{id_type}-field", "name": name},
        className=field_class(spec),
    )


def _several(spec: FieldSpec, value: list[str]) -> Component:
    control_id = {"type": NewStudyIds.PARAMETER_TYPE, "name": spec.name}
    given: dict[str, Any] = {"id": control_id, "value": value, "size": "xs", "aria-label": spec.title}
    choices = (("true", "On"), ("false", "Off")) if spec.kind == "switch" else spec.choices
    if choices:
        data = [{"value": str(each), "label": words} for each, words in choices]
        picker: Component = dmc.MultiSelect(data=data, clearable=True, hidePickedOptions=True, **given)
        return picker
    # A value is taken with Enter, a comma, or by leaving the field.
    tags: Component = dmc.TagsInput(acceptValueOnBlur=True, splitChars=[",", ";"], clearable=True, **given)
    return tags


def _seed_section(number: int, draft: StudyDraft) -> Component:
    field: Component = dmc.TextInput(
        id=NewStudyIds.SEEDS,
        value=draft.seeds,
        debounce=250,
        size="xs",
        w=250,
        autoComplete="off",
        **{"aria-label": "Seeds"},
    )
    words = html.Span(SEEDS_HELP, id=NewStudyIds.SEEDS_HELP, className="sm t3")
    body = html.Div([field, words], className="card row g16 study-section")
    return section(number, "Seeds", body, done=False)
