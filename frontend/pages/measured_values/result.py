"""Content of a file of measured values: its values and refused values, and the meaning of the columns of a table.

The answer comes from the REST interface through the browser, so nothing about its shape is taken for granted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component
from pydantic import ValidationError

from engines.cost.measured_files.columns import FIELDS
from engines.cost.measured_files.value import METRICS, MeasuredValue
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.draft import stored_mark
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import many, si
from frontend.ids.measured_values import ValuesIds
from frontend.pages.upload.result import refused
from webapp.api.shapes.measured_values import ValuesRead


def result(answer: Mapping[str, Any]) -> list[Component]:
    """Return the cards below the form.

    Args:
        answer: `status` of HTTP (0 where the server was not reached), its `body`, and the `file`'s name.
    """
    body = answer.get("body")
    body = body if isinstance(body, Mapping) else {}
    file, status = str(answer.get("file") or "The file"), answer.get("status")
    try:
        read = ValuesRead.model_validate(body) if status in (200, 201) else None
    except ValidationError:
        read = None
    if read is None:
        return [refused(file, status, body)]
    cards = [_columns(read) if read.columns and not read.stored else None, _values(file, read), _refused(read)]
    return [each for each in cards if each is not None]


def _columns(read: ValuesRead) -> Component:
    """Return the editable assignment of columns above the first rows."""
    heads = [{"value": head, "label": head} for head in dict.fromkeys(read.columns) if head]
    choices = [
        html.Div(
            [
                html.Label(field.replace("_", " ").capitalize(), className="lab"),
                _column(field, heads, read.mapping.get(field)),
            ],
            className="field",
        )
        for field in FIELDS
    ]
    rows: Sequence[Sequence[Component | str]] = read.sample
    sample = html.Div(plain_table([Column(head) for head in read.columns], rows, tight=True), className="table-scroll")
    again = html.Div(button("Read with these columns", id=ValuesIds.AGAIN, icon="refresh"), className="row")
    words = "choose the column of each field; an empty field is not in the table"
    return card("Columns", html.Div(choices, className="calibrate-grid"), sample, again, subtitle=words)


def _column(field: str, heads: list[dict[str, str]], head: str | None) -> Component:
    control: Component = dmc.Select(
        id={"type": ValuesIds.COLUMN_TYPE, "name": field}, data=heads, value=head, clearable=True, size="xs",
        placeholder="not in the table", **{"aria-label": f"Column of {field.replace('_', ' ')}"},
    )  # fmt: skip
    return control


def _values(file: str, read: ValuesRead) -> Component:
    rows = [_row(each) for each in read.values]
    columns = [
        Column("Device"), Column("Network"), Column("Unit"), Column("Runtime"), Column("Precision"),
        Column("Batch", number=True), Column("Value", number=True), Column("Measured as"), Column("Where"),
    ]  # fmt: skip
    table = (
        html.Div(plain_table(columns, rows, tight=True), className="table-scroll calibration-rows") if rows else None
    )
    state = chip("Stored", tone="good", icon="check") if read.stored else chip("Not stored yet", tone="warn")
    facts = [state, html.Span(read.format, className="sm t2"), stored_mark() if read.stored else None]
    notes = []
    if read.unbounded:
        notes.append(f"{many(read.unbounded, 'value')} without a published peak to compare with.")
    if len(rows) < read.count:
        notes.append(f"The first {len(rows)} are shown.")
    if read.operators:
        way = dcc.Link("Calibrate with it", href="/catalogue/calibrate", className="link")
        facts.append(html.Span(["The file has times of operators. ", way], className="sm"))
    parts = [html.Div(facts, className="row wrap"), *[html.Div(each, className="sm t2") for each in notes], table]
    return card(f"{file}: {many(read.count, 'value')}", *parts, _import(read))


def _import(read: ValuesRead) -> Component | None:
    if read.stored:
        devices = dict.fromkeys(each.device for each in read.values)
        ways = [
            link_button(
                f"Open {name}", f"/catalogue/hardware/{quote(name)}?tab=measured", icon="arrow-right", size="small"
            )
            for name in list(devices)[:6]
        ]
        return html.Div(ways, className="row wrap")
    if not read.count:
        words = "No value can be imported yet. State what is missing above, then show the values again."
        return notice(words, tone="warn")
    words = f"Import {many(read.count, 'value')}"
    if read.refused_count:
        words += f", skip {read.refused_count}"
    return html.Div(button(words, id=ValuesIds.STORE, icon="check", kind="primary"), className="row wrap")


def _row(value: MeasuredValue) -> list[Component | str]:
    runtime = " ".join(filter(None, (value.runtime, value.runtime_version)))
    text = si(value.value, METRICS[value.metric]) if value.metric in METRICS else "–"
    where = html.Span(value.place, className="t2", title=value.place)
    said = html.Span(f"{value.metric}, {value.statistic}".strip(", "), className="t2")
    return [value.device, value.network, value.unit, runtime, value.precision, str(value.batch), text, said, where]


def _refused(read: ValuesRead) -> Component | None:
    if not read.refused:
        return None
    rows: list[list[Component | str]] = [
        [each.place, each.what, html.Span(each.reason, className="values-reason")] for each in read.refused
    ]
    table = html.Div(plain_table([Column("Where"), Column("Value"), Column("Reason")], rows, tight=True),
                     className="table-scroll calibration-rows")  # fmt: skip
    words = f"the first {len(rows)} are shown" if len(rows) < read.refused_count else ""
    return card(f"{many(read.refused_count, 'refused value')}", table, subtitle=words, flush=True)
