"""The form for imports of measured values: the file, its missing fields, source and licence. No callbacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.cost.measured_files.reader import MAX_BYTES
from frontend.components.button import button
from frontend.components.card import card
from frontend.ids.measured_values import ValuesIds
from frontend.request import chosen_project
from hardware.bits import FORMATS
from hardware.soc.family import SOC
from webapp.catalogue.service import DocumentEntry, list_documents
from webapp.teams.visibility import Principal, editable_projects

_LICENCES = ("CC0-1.0", "CC-BY-4.0", "MIT", "BSD-3-Clause", "Apache-2.0", "own measurement, not published")
_UNITS = ("s", "ms", "us", "fps", "1/s", "J", "mJ", "uJ")
# Name of a field of the interface -> label, help.
_TEXTS: Mapping[str, tuple[str, str]] = {
    "unit": ("Compute unit", "Such as npu, for values without one"),
    "runtime": ("Runtime", "For values without one"),
    "runtime_version": ("Runtime version", ""),
    "batch": ("Batch", "Samples at a time; 1 by default"),
    "measured_on": ("Date", "Such as 2026-02-12 or 2026"),
}


def form(principal: Principal, device: str, network: str) -> Component:
    """Return the whole form, filled in as an address asks."""
    socs = list_documents(principal, "hardware", (SOC.schema,))
    networks = [each for each in list_documents(principal, "workload") if each.schema.startswith("network/")]
    precisions = [{"value": name, "label": name} for name in (*FORMATS, "w4a16", "w8a16")]
    projects = [{"value": each.slug, "label": each.title} for each in editable_projects(principal).order_by("title")]
    whole = "A choice replaces the names in the file"
    stated = [
        _field("Device", select("device", _options(socs), "as the file states", device), whole),
        _field("Network", select("network", _options(networks), "as the file states", network), whole),
        _field("Precision", select("precision", precisions, "as the file states"), "For values without one"),
        _field(
            "Unit of values", select("unit_of_value", list(_UNITS), "as the table states"), "For a table without units"
        ),
        *(_field(label, _text(name, label), words) for name, (label, words) in _TEXTS.items()),
    ]
    origin = [
        _field("Source", _text("source", "Source"), "Address, publication, or who measured; needed to import"),
        _field(
            "Licence",
            dmc.Autocomplete(id=field_id("licence"), data=list(_LICENCES), size="xs", **{"aria-label": "Licence"}),
            "One for all values; needed to import",
        ),
        _field(
            "Project",
            select("project", projects, "", chosen_project(principal).slug, clearable=False),
            "Its members see the values",
        ),
    ]
    return card(
        "Measured values",
        _file(),
        html.Div(origin, className="calibrate-grid"),
        html.Div("Missing in the file", className="sm b"),
        html.Div(stated, className="calibrate-grid"),
        html.Div(
            [button("Show the values", id=ValuesIds.SHOW, icon="table", kind="primary"), _progress()],
            className="row wrap g16",
        ),
        class_name="calibrate-form",
    )


def field_id(name: str) -> dict[str, str]:
    """Return the id of a field that is sent with the file under that name."""
    return {"type": ValuesIds.FIELD_TYPE, "name": name}


def select(
    name: str, data: list[Any], placeholder: str, value: str | None = None, *, clearable: bool = True
) -> Component:
    """Return a choice that is sent under that name."""
    control: Component = dmc.Select(
        id=field_id(name), data=data, value=value or None, placeholder=placeholder, searchable=len(data) > 8, size="xs",
        clearable=clearable, allowDeselect=clearable, nothingFoundMessage="Nothing has this name", limit=80,
        **{"aria-label": name.replace("_", " ").capitalize()},
    )  # fmt: skip
    return control


def _text(name: str, label: str) -> Component:
    control: Component = dmc.TextInput(id=field_id(name), size="xs", **{"aria-label": label})
    return control


def _file() -> Component:
    choose = html.Button("Choose a file", type="button", className="btn small", **{"data-values-choose": "file"})
    chosen = html.Span("no file", id="values-name", className="sm el", **{"aria-live": "polite"})
    words = f"At most {MAX_BYTES // 1_000_000} MB; drop it here, or choose it"
    field = _field("File of a tool, or a table", html.Div([choose, chosen], className="row"), words)
    return html.Div(field, id=ValuesIds.FILE, className="calibrate-files")


def _progress() -> Component:
    texts = [html.Span(className="m5 el"), html.Span(className="sp"), html.Span(className="num t2 nw")]
    bar = html.Div(html.Div(), className="bar")
    return html.Div(
        [html.Div(texts, className="row sm"), bar],
        id=ValuesIds.PROGRESS,
        className="stack upload-progress",
        hidden=True,
        role="status",
    )


def _field(label: str, control: Component, words: str = "") -> Component:
    parts = [html.Label(label, className="lab"), control, html.Span(words, className="h") if words else None]
    return html.Div(parts, className="field")


def _options(entries: Iterable[DocumentEntry]) -> list[dict[str, str]]:
    return [{"value": entry.name, "label": entry.title} for entry in entries]
