"""The numbered sections of the New run page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.engine import Engine, InputKind
from engines.contract.errors import EngineError
from engines.workloads.network import Scenario
from frontend.components.form import form_fields
from frontend.components.icon import icon
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import picture_menu
from frontend.components.pictures.legend import model_swatch
from frontend.components.states import notice
from frontend.figures.chiplets.package import package_figure
from frontend.figures.hardware.soc_diagram import soc_figure, soc_sentence
from frontend.figures.numbers import integer, significant
from frontend.ids.new import NewIds
from frontend.pages.drafts import (
    SEED,
    Draft,
    ModelRow,
    changed_words,
    dataflow_counts,
    hardware_facts,
    model_rows,
    soc_facts,
    specs_of,
    workload_facts,
)
from frontend.pages.new.measurement_section import measuring_section
from frontend.request import current_user
from frontend.theme import Scheme
from hardware.errors import HardwareError
from hardware.package.model import ChipletPackage
from hardware.soc.model import Soc
from webapp.catalogue.service import DocumentEntry

PICTURE_HEIGHT_PX = 180
# The narrowest that the place of a picture of a system on a chip gets, beside its list and two other inputs: words are cut to it.
SOC_PICTURE_WIDTH_PX, SOC_PICTURE_HEIGHT_PX = 430, 216
Entries = Mapping[str, Sequence[DocumentEntry]]
_builtins: dict[tuple[str, str, int], Any] = {}


def section(
    number: int, title: str, *body: Component, right: Sequence[Component | str] = (), done: bool = True
) -> Component:
    """Return a numbered section; `right` stands at the end of its head."""
    mark = icon("check", "s") if done else str(number)
    head = [
        html.Span(mark, className="step-number ok" if done else "step-number"),
        html.H2(title, className="section-title"),
        html.Span(className="sp"),
        *right,
    ]
    return html.Section([html.Div(head, className="row section-head"), *body], **{"aria-label": f"{number}: {title}"})


def sections(
    draft: Draft, engine: Engine, chosen: Component, entries: Entries, scheme: Scheme, note: str = ""
) -> list[Component]:
    """Return all sections for `draft`: the engine as `chosen` shows it, one per input slot, parameters.

    `note` tells what became of what was chosen before.
    """
    slots = [
        _slot_section(number, slot, kind, engine, draft, entries, scheme)
        for number, (slot, kind) in enumerate(engine.inputs.items(), start=2)
    ]
    return [
        html.Section(
            [
                chosen,
                *([html.Div(notice(note), className="new-fit", role="status")] if note else []),
                *ready_made_links(engine),
            ],
            **{"aria-label": "1: Engine"},
        ),
        html.Div(slots, className="new-slots"),
        _parameter_section(len(slots) + 2, engine, draft),
        *_measuring(len(slots) + 3, engine, draft),
    ]


def _measuring(number: int, engine: Engine, draft: Draft) -> list[Component]:
    found = measuring_section(current_user(), engine, draft.measure)
    return (
        [] if found is None else [section(number, "Measure during the search", found, done=draft.measure is not None)]
    )


def ready_made_links(engine: Engine) -> list[Component]:
    """Return the engine's ready-made problems, each a link that fills the form in."""
    if not engine.presets:
        return []
    links = [
        dcc.Link(each.title, href=f"/new?engine={engine.name}&ready={each.name}", className="link")
        for each in engine.presets
    ]
    return [html.Div([html.Span("Presets", className="t3"), *links], className="row g12 wrap sm ready-made")]


# -- inputs -----------------------------------------------------------------------------------------------------------


def _slot_section(
    number: int, slot: str, kind: InputKind, engine: Engine, draft: Draft, entries: Entries, scheme: Scheme
) -> Component:
    error = html.Div(id={"type": NewIds.SLOT_ERROR_TYPE, "slot": slot}, className="slot-error", role="alert")
    detail = html.Div(
        slot_detail(slot, engine, draft, entries, scheme),
        id={"type": NewIds.DETAIL_TYPE, "slot": slot},
        className="grow",
    )
    if kind.kind == "hardware":
        body = html.Div([_pick_list(slot, kind, draft, entries[slot]), detail], className="card new-hardware")
        return section(number, kind.title, body, error, right=_own_links(kind))
    body = html.Div(detail, className="card new-workload")
    return section(
        number, kind.title, body, error, right=[*_own_links(kind), _select(slot, kind, draft, entries[slot])]
    )


def _own_links(kind: InputKind) -> list[Component]:
    """Return the ways to bring something along, and where several networks make one workload, to the page that builds them."""
    takes = any(schema.startswith("scenario/") for schema in kind.schemas)
    own = dcc.Link("Upload", href="/catalogue/upload", className="link nw carry-draft", title="Add your own")
    return (
        [own, dcc.Link("Build a scenario", href="/scenarios/new", className="link nw carry-draft")] if takes else [own]
    )


def _pick_list(slot: str, kind: InputKind, draft: Draft, entries: Sequence[DocumentEntry]) -> Component:
    chosen = draft.inputs.get(slot, "").partition("@")[0]
    buttons = [
        html.Button(
            [
                html.Span(
                    [
                        html.Span(entry.title, className="pick-title"),
                        html.Span(_in_words(kind, entry), className="xs t2 el"),
                    ],
                    className="pick-words",
                ),
                html.Span(f"v{entry.version}", className="xs t3 num"),
            ],
            id={"type": NewIds.PICK_TYPE, "slot": slot, "name": entry.name},
            className=pick_class(draft, slot, entry.name),
            type="button",
        )
        # The chosen one first: further down, the list might hide it.
        for entry in sorted(entries, key=lambda entry: entry.name != chosen)
    ]
    return html.Div(buttons, className="new-list", role="group", **{"aria-label": "Hardware"})


def pick_class(draft: Draft, slot: str, name: str) -> str:
    """Return the classes of an entry of a list, for whether it is chosen."""
    return "li on" if draft.inputs.get(slot, "").partition("@")[0] == name else "li"


def _select(slot: str, kind: InputKind, draft: Draft, entries: Sequence[DocumentEntry]) -> Component:
    reference = draft.inputs.get(slot)
    data = [{"value": entry.name, "label": f"{entry.title}, v{entry.version}"} for entry in entries]
    if reference and reference not in {item["value"] for item in data}:
        data.append({"value": reference, "label": reference})
    control: Component = dmc.Select(
        id={"type": NewIds.SELECT_TYPE, "slot": slot},
        data=data,
        value=reference,
        searchable=True,
        allowDeselect=not kind.required,
        clearable=not kind.required,
        size="xs",
        w=250,
        nothingFoundMessage="No such document",
        **{"aria-label": kind.title},
    )
    return control


def slot_detail(slot: str, engine: Engine, draft: Draft, entries: Entries, scheme: Scheme) -> list[Component]:
    """Return the details of the document chosen for an input."""
    kind = engine.inputs[slot]
    value = chosen_value(slot, kind, draft, entries[slot])
    if isinstance(value, ChipletPackage):
        return hardware_detail(value, scheme)
    if isinstance(value, Soc):
        return soc_detail(value, scheme)
    if isinstance(value, Scenario):
        others = (chosen_value(each, found, draft, entries[each]) for each, found in engine.inputs.items())
        return workload_detail(value, next((each for each in others if isinstance(each, ChipletPackage)), None))
    if value is None:
        return [html.Div(kind.help, className="sm t2 new-words")]
    return [html.Div(_chosen_words(draft.inputs.get(slot, ""), entries[slot]), className="sm t2 new-words")]


def _chosen_words(reference: str, entries: Sequence[DocumentEntry]) -> list[Component | str]:
    """Return the title and what the document says of itself, where there is no picture of it."""
    entry = next((entry for entry in entries if entry.name == reference.partition("@")[0]), None)
    if entry is None:
        return [reference]
    return [html.Div(entry.title, className="b"), html.Div(entry.summary), html.Div(reference, className="xs t3 mono")]


def chosen_value(slot: str, kind: InputKind, draft: Draft, entries: Sequence[DocumentEntry]) -> Any:
    """Return the parsed document of a slot; None where nothing is chosen or it cannot be read (the summary then says why)."""
    name = draft.inputs.get(slot, "").partition("@")[0]
    entry = next((entry for entry in entries if entry.name == name), None)
    if entry is None:
        return None
    return loaded(kind, entry)


def loaded(kind: InputKind, entry: DocumentEntry) -> Any:
    """Return the parsed document, None where it cannot be read. Built-in files never change, so they are parsed once."""
    key = (entry.kind, entry.slug, entry.version)
    if entry.builtin and key in _builtins:
        return _builtins[key]
    try:
        value = kind.load(entry.content)
    except (EngineError, HardwareError):
        return None
    if entry.builtin:
        _builtins[key] = value
    return value


def _in_words(kind: InputKind, entry: DocumentEntry) -> str:
    value = loaded(kind, entry)
    return dataflow_counts(value) if isinstance(value, ChipletPackage) else entry.summary


def hardware_detail(package: ChipletPackage, scheme: Scheme) -> list[Component]:
    """Return the picture of the package and its figures."""
    summary = f"{package.title}: {package.rows} by {package.columns} chiplets, {dataflow_counts(package)}"
    figure = package_figure(package, scheme)
    drawn = plot(figure, height_px=PICTURE_HEIGHT_PX, summary=summary)
    return [_picture(package.slug, drawn, _facts(hardware_facts(package), "new-facts three"))]


def soc_detail(soc: Soc, scheme: Scheme) -> list[Component]:
    """Return the picture of a system on a chip and its figures."""
    picture = soc_figure(soc, scheme, width_px=SOC_PICTURE_WIDTH_PX, height_px=SOC_PICTURE_HEIGHT_PX)
    drawn = plot(picture, height_px=SOC_PICTURE_HEIGHT_PX, summary=soc_sentence(soc))
    return [_picture(soc.slug, drawn, _facts(soc_facts(soc), "new-facts three"))]


def _picture(slug: str, drawn: Component, facts: Component) -> Component:
    """Return a drawing with its facts, and its menu in their corner."""
    inside = [drawn, facts, picture_menu()]
    return html.Div(inside, className="picture cornered", **{"data-name": slug, "data-label": slug})


def workload_detail(scenario: Scenario, package: ChipletPackage | None) -> list[Component]:
    """Return the table of the models with batch, layers and work, totals, weights."""
    rows = model_rows(scenario)
    heads = ("Model", "Batch", "Layers", "GMAC, whole batch", "")
    total = [
        html.Td("All", className="b"),
        html.Td(),
        html.Td(integer(sum(row.layers for row in rows)), className="r num b"),
        html.Td(giga(sum(row.macs for row in rows)), className="r num b"),
        html.Td(),
    ]
    table = html.Table(
        [
            html.Thead(html.Tr([html.Th(head, className="r" if 0 < i < 4 else "") for i, head in enumerate(heads)])),
            html.Tbody([*[_model_row(i, row) for i, row in enumerate(rows)], html.Tr(total)]),
        ],
        className="t",
    )
    note = html.Div(
        [
            icon("info-circle", "s"),
            html.Span("Layers are counted as the scheduler sees them: each with the operators fused into it."),
        ],
        className="row top xs t2 new-note",
    )
    facts = _facts(workload_facts(scenario, package), "new-facts three ruled")
    return [html.Div(table, className="new-models table-scroll"), note, facts]


def _model_row(position: int, row: ModelRow) -> Component:
    bar = html.Div(className=f"work-bar sw m{min(position, 7)}", style={"width": f"{max(2.0, row.share * 100):.0f}%"})
    return html.Tr(
        [
            html.Td(html.Span([model_swatch(position), row.title], className="row")),
            html.Td(integer(row.batch), className="r num"),
            html.Td(integer(row.layers), className="r num"),
            html.Td(giga(row.macs), className="r num"),
            html.Td(bar, className="work-cell"),
        ]
    )


def giga(macs: float) -> str:
    """Return the MACs in G, whole from 100 on."""
    return integer(macs / 1e9) if macs >= 1e11 else significant(macs / 1e9)


def _facts(facts: Sequence[tuple[str, str]], class_name: str) -> Component:
    cells = [
        html.Div([html.Span(label, className="xs t3"), html.Div(value, className="sm m5 num nw")])
        for label, value in facts
    ]
    return html.Div(cells, className=class_name)


# -- parameters -------------------------------------------------------------------------------------------------------


def _parameter_section(number: int, engine: Engine, draft: Draft) -> Component:
    form = form_fields(specs_of(engine), {**draft.params, SEED: draft.seed}, NewIds.PARAMETER_TYPE)
    right = [
        html.Span(changed_words(engine, draft), id=NewIds.CHANGED, className="sm t3"),
        html.Button("Reset", id=NewIds.RESET, className="link", type="button"),
    ]
    return section(
        number, "Parameters", html.Div(form, className="card new-form", id=NewIds.PARAMETERS), right=right, done=False
    )
