"""Rows and totals of the page on which scenarios are built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.workloads.network import Network
from engines.workloads.rates import macs_per_s
from frontend.components.button import button, icon_button
from frontend.components.form import FieldSpec
from frontend.components.items.conflict import conflict_box, difference_lines
from frontend.components.name import cut_name
from frontend.components.pictures.kpi import pairs
from frontend.components.pictures.legend import model_swatch
from frontend.components.states import empty_state, notice
from frontend.designs.run_words import person_name
from frontend.figures.numbers import MISSING, NO_BREAK, integer, si, significant
from frontend.ids.scenario import ScenarioIds as Ids
from frontend.pages.scenario.data import (
    TYPED,
    Form,
    Judgement,
    network_of,
    shown_value,
    term_specs,
    terms_in_words,
)
from webapp.catalogue import service
from webapp.catalogue.differences import differences
from webapp.catalogue.document_edits import stored_version
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.scenarios import DraftModel, ScenarioDraft, content_of
from webapp.teams.visibility import Principal

_HINTS = {"rate_fps": "none", "deadline_s": "none", "priority": "none"}
_TERMS_NOTE = (
    "Engines that run every batch once ignore rates and priorities, and say so. "
    "Designs on packages list which deadlines they meet."
)
_HEADS = ("Model", "Layers", "Batch", "Rate", "Deadline", "Priority", "Whole batch", "Asked for", "")
_NUMBERS = (1, 6, 7)
Work = dict[tuple[int, str], str]


def models_table(principal: Principal, form: Form, judgement: Judgement) -> Component:
    """Return a row per model with its fields; words where there is none yet."""
    if not form.keys:
        words = "All networks run at the same time, each with its own batch."
        return empty_state("stack-2", "Add the first network", words, level=3)
    heads = [html.Th(head, className="r" if place in _NUMBERS else "") for place, head in enumerate(_HEADS)]
    networks = [network_of(principal, form, model) for model in form.draft.models]
    work = work_cells(form, judgement)
    rows = [
        _row(position, key, model, network, work)
        for position, (key, model, network) in enumerate(zip(form.keys, form.draft.models, networks, strict=True))
    ]
    table = html.Table([html.Thead(html.Tr(heads)), html.Tbody(rows)], className="t scenario-table")
    return html.Div(table, className="table-scroll")


def _row(position: int, key: int, model: DraftModel, network: Network | None, shown: Work) -> Component:
    title = model.network if network is None else network.title
    more = terms_in_words(model)
    name = html.Div(
        [
            html.Div(cut_name(title), className="m5", title=model.network),
            html.Div(more, className="xs t3") if more else None,
        ]
    )
    fields = [html.Td(_field(spec, key, model, title)) for spec in term_specs().values()]
    work = [
        html.Td(shown[key, kind], id={"type": Ids.WORK_TYPE, "row": key, "name": kind}, className="r num")
        for kind in ("batch", "rate")
    ]
    remove = icon_button("trash", f"Remove {title}", id={"type": Ids.REMOVE_TYPE, "row": key})
    layers = MISSING if network is None else integer(len(network.layers))
    return html.Tr(
        [
            html.Td(html.Div([model_swatch(position), name], className="row")),
            html.Td(layers, className="r num"),
            *fields,
            *work,
            html.Td(remove, className="r"),
        ]
    )


def _field(spec: FieldSpec, key: int, model: DraftModel, title: str) -> Component:
    unit = html.Span(spec.unit, className="field-unit") if spec.unit else None
    box: Component = dmc.TextInput(
        id={"type": Ids.FIELD_TYPE, "row": key, "name": spec.name},
        value=shown_value(model, spec.name),
        debounce=250,
        size="xs",
        autoComplete="off",
        placeholder=_HINTS.get(spec.name, ""),
        rightSection=unit,
        rightSectionWidth="2.6em" if unit else None,
        className="scenario-field",
        **{"aria-label": f"{spec.title} of {title}"},
    )
    return box


def work_cells(form: Form, judgement: Judgement) -> Work:
    """Return (key of the row, "batch" or "rate") -> work of the whole batch, work per second that the rate asks for."""
    if judgement.scenario is None:
        return {(key, kind): MISSING for key in form.keys for kind in ("batch", "rate")}
    found = {}
    for key, model in zip(form.keys, judgement.scenario.models, strict=True):
        found[key, "batch"] = si(model.batch * model.network.macs, "MAC")
        found[key, "rate"] = si(model.macs_per_s, "MAC/s")
    return found


def summary(judgement: Judgement) -> list[Component]:
    """Return the totals of the scenario."""
    scenario = judgement.scenario
    if scenario is None:
        return [html.Div("Totals appear when every network can be read.", className="sm t2")]
    networks = {model.network.slug: model.network for model in scenario.models}.values()
    weights = sum(network.weight_elements for network in networks)
    tables = sum(network.lookup_elements for network in networks)
    demand = macs_per_s(scenario)
    layers = sum(len(model.network.layers) for model in scenario.models)
    facts = [
        ("Layers", integer(layers)),
        ("MACs, all batches", si(sum(model.batch * model.network.macs for model in scenario.models), "MAC")),
        ("Weights", _millions(weights)),
        *([("Embedding tables", _millions(tables))] if tables else []),
        *([("The rates require", si(demand, "MAC/s"))] if demand is not None else []),
    ]
    count = len(scenario.models)
    words = f"{count} {'model' if count == 1 else 'models'}"
    note = _TERMS_NOTE if _has_terms(judgement) else ""
    shown: list[Component] = [html.Div(words, className="estimate"), html.Div(pairs(facts), className="rail-pairs")]
    return [*shown, html.Div(notice(note), className="rail-note")] if note else shown


def _millions(elements: int) -> str:
    return f"{significant(elements / 1e6)}{NO_BREAK}M"


def _has_terms(judgement: Judgement) -> bool:
    models = judgement.scenario.models if judgement.scenario else ()
    return any((model.rate_fps, model.deadline_s, model.priority) != (None, None, None) for model in models)


def conflict(principal: Principal, newest: DocumentVersion, draft: ScenarioDraft) -> Component:
    """Show that another person was first: their changes, the differences of mine, and the choices."""
    project, slug, number = newest.document.project, newest.document.slug, newest.number
    name, opened = f"{project.slug}/{slug}", int(draft.origin.rpartition("@")[2] or 0)
    theirs = stored_version(principal, "workload", project.slug, slug, number)
    base = stored_version(principal, "workload", project.slug, slug, opened)
    content: Mapping[str, Any] = theirs.content if theirs else {}
    mine = service.validate(principal, "workload", content_of(principal, draft, project))
    changed, other = differences(base.content, content) if base else [], differences(content, mine)
    who = person_name(theirs.created_by) if theirs and theirs.created_by else "Somebody"
    return conflict_box(
        f"{who} saved version {number} while you were editing.",
        "",
        difference_lines(changed) if changed else None,
        difference_lines(other) if other else None,
        [
            button(f"Save mine as version {number + 1}", id={"type": Ids.SAVE_MINE_TYPE, "number": number}),
            html.A("Take theirs", href=f"/scenarios/new?from={name}", className="btn"),
        ],
    )


def mistakes(principal: Principal, form: Form, judgement: Judgement) -> list[Component]:
    """Return what is wrong with the rows, one line each, in the order of the rows; the rest below."""
    specs = term_specs()
    networks = [network_of(principal, form, model) for model in form.draft.models]
    titles = [
        (key, network.title if network else model.network)
        for key, model, network in zip(form.keys, form.draft.models, networks, strict=True)
    ]
    lines = [
        f"{title}, {specs[name].title.lower()}: {judgement.cells[key, name]}"
        for key, title in titles
        for name in TYPED
        if (key, name) in judgement.cells
    ]
    return [html.Div(line, className="slot-error") for line in (*lines, *judgement.others)]
