"""Measured values of a board beside predictions: a scatter plot, what the predictions do badly, all values, imports."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.survey.measurements.boards import BoardRow, kind_errors_of
from frontend.components.as_table import as_table
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.figures.hardware.measured_values import measured_figure, measured_sentences
from frontend.figures.numbers import MISSING, many, si
from frontend.ids.catalogue import BoardIds
from frontend.pages.catalogue.document.frame import DocumentView
from frontend.theme import Scheme
from webapp.measuring.board_points import BoardPoint, board_points, imports_of
from webapp.measuring.models import ValueImport
from webapp.teams.visibility import Principal, may_edit

_UNITS = {"latency": "s", "throughput": "1/s", "energy": "J", "power": "W"}
_CAVEAT = (
    "Predictions are of fits that have not seen the network. A throughput counts as the interval between two results. It is "
    "shorter than a latency on devices that work as a pipeline."
)


def measured_tab(principal: Principal, shown: DocumentView, scheme: Scheme) -> Component:
    """Return the tab with everything measured on a board."""
    points = board_points(principal, shown.entry)
    ways = [
        link_button("CSV", csv_href(shown), icon="download", size="small", download=""),
        link_button("Import measured values", import_href(shown), icon="upload", size="small"),
    ]
    if not points:
        words = (
            "Published or own measurements of networks on this device are not available yet. Import some to compare."
        )
        return card(
            "Measured and predicted",
            empty_state("chart-scatter", "No measured values", words, level=3),
            actions=ways[1:],
        )
    rows = [each.row for each in points if each.row.ratio and not each.project]
    own_bits = {each.row.bits for each in points if each.project}
    runtime, precision = _usual([row for row in rows if row.bits in own_bits] or rows)
    filters = [
        _filter(BoardIds.MEASURED_RUNTIME, "Runtime", [each.runtime for each in rows], runtime),
        _filter(BoardIds.MEASURED_PRECISION, "Precision", [each.precision for each in rows], precision),
    ]
    drawn = html.Div(measured_picture(points, runtime, precision, scheme), id=BoardIds.MEASURED)
    predicted = sum(each.row.ratio is not None for each in points)
    counts = f"{many(len(points), 'value')}, {predicted} with a prediction"
    return html.Div(
        [
            card("Measured and predicted", html.Div(filters, className="row wrap g12"), drawn,
                 html.Div(_CAVEAT, className="xs t3 board-below"), subtitle=counts, actions=[*ways, figure_menu(table=False)]),
            imports_card(principal, points),
        ],
        className="stack g12",
    )  # fmt: skip


def measured_picture(
    points: Sequence[BoardPoint], runtime: str | None, precision: str | None, scheme: Scheme
) -> list[Component]:
    """Return plot, words and table of the values of a runtime and a precision; None of either for all."""
    published = [each for each in points if not each.project]
    chosen = [
        each
        for each in published
        if runtime in (None, "", each.row.runtime) and precision in (None, "", each.row.precision)
    ]
    bits = {each.row.bits for each in chosen}
    # Imported and shared values have runtimes of their own.
    chosen += [each for each in points if each.project and (not published or not precision or each.row.bits in bits)]
    public, own = (
        [each.row for each in chosen if each.row.ratio and bool(each.project) is mine] for mine in (False, True)
    )
    if not public and not own:
        words = "Choose another runtime or precision, or see the table for the reasons."
        return [
            empty_state("chart-scatter", "No value with a prediction", words, level=3),
            as_table(values_table(chosen)),
        ]
    sentences = measured_sentences(public or own)
    lacking = [each.row.reason for each in chosen if each.project and not each.row.ratio]
    if lacking:
        sentences.append(f"{many(len(lacking), 'imported value')} without a prediction. {lacking[0]}")
    figure = plot(measured_figure(public, own, scheme), summary=" ".join(sentences))
    parts = [html.P(each, className="sm") for each in (*sentences, *kind_sentences([*public, *own]))]
    return [figure, html.Div(parts, className="stack measured-words"), as_table(values_table(chosen))]


def kind_sentences(rows: Sequence[BoardRow]) -> list[str]:
    """Return sentences on the kinds of operators with systematic prediction errors; one sentence if there are none."""
    shown = {(row.bits, row.quantity, row.batch) for row in rows}
    errors = [each for each in kind_errors_of(rows[0].board) if each[:3] in shown]
    told = [f"In {bits}{f', batch {batch}' if batch > 1 else ''}. {error.sentence}" for bits, _, batch, error in errors]
    return told or ["No kind of operator has an error that differs from chance."]


def values_table(points: Sequence[BoardPoint]) -> Component:
    """Return every value with prediction, error, runtime, age, source and licence, or the reason."""
    columns = [
        Column("Network"), Column("Device"), Column("Runtime"), Column("Precision"), Column("Batch", number=True),
        Column("Measured", number=True), Column("Predicted", number=True), Column("Error", number=True), Column("Date"),
        Column("Source"), Column("Licence"), Column("Note"),
    ]  # fmt: skip
    return plain_table(columns, [_cells(each) for each in points], tight=True)


def _cells(point: BoardPoint) -> list[Component | str]:
    row = point.row
    error = MISSING if row.error is None else f"{100 * row.error:+.0f} %"
    device = " ".join(filter(None, (row.measured_on, row.unit)))
    predicted = MISSING
    if row.predicted_s:
        predicted = si(1 / row.predicted_s, "1/s") if row.quantity == "throughput" else si(row.predicted_s, "s")
    source = f"{row.source} ({point.project})" if point.project else row.source
    return [row.model, device, row.runtime, row.precision, str(row.batch), si(row.value, _UNITS[row.quantity]), predicted, error,
            row.date, source, row.licence, row.reason or row.note]  # fmt: skip


def imports_card(principal: Principal, points: Sequence[BoardPoint]) -> Component | None:
    """Return the imports that have values of the board; None without one."""
    counts = imports_of(points)
    if not counts:
        return None
    rows: list[list[Component | str]] = []
    for each in ValueImport.objects.filter(pk__in=counts).select_related("project"):
        identity = {"type": BoardIds.IMPORT_TYPE, "number": each.pk}
        question = f"Delete all values of {each.file}, on every device?"
        gone = button("Delete", id=identity, size="small", kind="danger", question=question)
        own = gone if may_edit(principal, each.project) else ""
        about = [each.source, each.licence, each.project.title, f"{each.created:%Y-%m-%d}"]
        rows.append([each.file, str(counts[each.pk]), *about, own])
    columns = [Column("File"), Column("Values here", number=True), Column("Source"), Column("Licence"), Column("Project"),
               Column("Imported"), Column("")]  # fmt: skip
    table = html.Div(plain_table(columns, rows, tight=True), className="table-scroll")
    return card("Imported files", table, html.Div(id=BoardIds.IMPORT_GONE, role="status"), flush=True)


def csv_href(shown: DocumentView) -> str:
    """Return the address of the board's measured values as CSV."""
    query = f"?{urlencode({'project': shown.entry.project})}" if shown.entry.project else ""
    return f"/api/v1/documents/hardware/{shown.entry.slug}/measured.csv{query}"


def import_href(shown: DocumentView) -> str:
    """Return the page that imports values, with the board chosen."""
    return f"/measured-values/import?device={quote(shown.entry.name)}"


def _usual(rows: Sequence[BoardRow]) -> tuple[str | None, str | None]:
    """Return runtime and precision with the most values: their band is of one calibration."""
    groups = [(row.runtime, row.precision) for row in rows]
    return max(sorted(set(groups)), key=groups.count) if groups else (None, None)


def _filter(control_id: str, label: str, names: Sequence[str], value: str | None) -> Component:
    control: Component = dmc.Select(
        id=control_id, data=[{"value": name, "label": name} for name in sorted({*names} - {""})], value=value, clearable=True,
        placeholder="all", label=label, size="xs", w=210,
    )  # fmt: skip
    return control
