"""The content of the page of a calibration: errors, residuals, rows, parameters. No callbacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dash import dcc, html
from dash.development.base_component import Component

from engines.cost.calibration.words import error_words
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.pictures.kpi import kpi
from frontend.components.shell.shell import remembered_scheme
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.figures.hardware.calibration_residuals import residual_figure, residual_sentence
from frontend.figures.numbers import MISSING, integer, many, percent
from frontend.ids.calibration import CalibrationIds
from frontend.pages.catalogue.document.frame import DocumentView, head
from frontend.pages.catalogue.document.versions import versions_card
from frontend.theme import Scheme
from hardware.calibration.loader import load_calibration
from hardware.calibration.model import CalibrationRow, ErrorSummary, Parameter, SocCalibration
from webapp.teams.visibility import Principal

# More lines than these make a page of some thousand rows slow and say no more.
MOST_DRAWN, MOST_LISTED = 60, 500
GROUP = "Calibration"
MARKS = "● fitted, ○ the same with its network left out, ◇ predicted; band: within 10 %"


def page(principal: Principal, shown: DocumentView, more: Component | None = None) -> Component:
    """Return everything below the bar; `more` is a card of those calibrations that have it, below the residuals."""
    calibration = load_calibration(shown.entry.content)
    document = {"kind": "calibration", "name": shown.entry.name, "version": shown.entry.version}
    picture = html.Div(picture_of(calibration, remembered_scheme()), id=CalibrationIds.PICTURE)
    residuals = card("Residuals", picture, subtitle=MARKS, actions=[figure_menu()], flush=True)
    tables = [more, rows_card(calibration.rows), parameters_card(calibration)]
    side = html.Div([about_card(calibration), versions_card(principal, shown)], className="document-side stack g12")
    return html.Div(
        [
            dcc.Store(id=CalibrationIds.DOCUMENT, data=document),
            head(shown, GROUP, html.Div(numbers(calibration), className="row g24 wrap run-line")),
            html.Div(
                html.Div([html.Div([residuals, *tables], className="stack g12 grow"), side], className="row top g12"),
                className="page",
            ),
        ]
    )


def picture_of(calibration: SocCalibration, scheme: Scheme) -> Component:
    """Return the residuals in the colours of a scheme."""
    if not calibration.rows:
        return empty_state(
            "photo", "No rows", "The document has parameters, but the rows of the fit are missing.", level=3
        )
    drawn = plot(residual_figure(furthest(calibration), scheme), summary=residual_sentence(calibration))
    if len(calibration.rows) <= MOST_DRAWN:
        return drawn
    words = f"The {MOST_DRAWN} rows with the largest errors, of {integer(len(calibration.rows))}."
    return html.Div([drawn, html.Div(words, className="xs t3 layers-note")])


def furthest(calibration: SocCalibration) -> SocCalibration:
    """Return the calibration with no more rows than a picture holds: those that are furthest off, in their order."""
    order = sorted(calibration.rows, key=lambda row: -abs(row.error))[:MOST_DRAWN]
    kept = {row.name for row in order}
    return replace(calibration, rows=tuple(row for row in calibration.rows if row.name in kept))


def numbers(calibration: SocCalibration) -> list[Component]:
    """Return the errors at a glance, and what an estimate may be off by."""
    found = [
        *_error_kpis("Fitted rows", calibration.errors()),
        *_error_kpis("Network left out", calibration.errors(left_out=True)),
        *_error_kpis("Predicted rows", calibration.errors("predicted")),
    ]
    bands = [
        kpi(f"Error band of {quantity}", f"×/÷ {factor:.2f}", title=error_words(calibration))
        for quantity in sorted(calibration.quantities)
        if (factor := calibration.error_factor(quantity)) is not None
    ]
    return [*found, *bands]


def about_card(calibration: SocCalibration) -> Component:
    """Return device, source, author, and how many parameters the rows decided."""
    fitted = sum(parameter.role == "fitted" for parameter in calibration.parameters.values())
    decided = f"{fitted} fitted, of which the rows decided {calibration.effective_parameters:.1f}"
    device = dcc.Link(calibration.soc, href=f"/catalogue/hardware/{calibration.soc}")
    lines: list[tuple[str, Component | str]] = [
        ("Device", device),
        ("Source", calibration.source),
        ("Measured by", calibration.author),
        ("Precision", calibration.precision),
        ("Parameters", f"{decided}; {len(calibration.parameters) - fitted} assumed"),
        ("Error", error_words(calibration) or "Error unknown: no row was left out or predicted."),
        ("Covers", "; ".join(f"{unit}: {', '.join(sorted(kinds))}" for unit, kinds in calibration.covered.items())),
    ]
    parts = [html.Div([html.Div(name, className="xs t3"), html.Div(value, className="sm")]) for name, value in lines]
    return card("About", html.Div(parts, className="stack g12"))


def rows_card(rows: Sequence[CalibrationRow]) -> Component:
    """Return every row with what was measured and estimated."""
    columns = [
        Column("Row"),
        Column("Measured", number=True),
        Column("Estimated", number=True),
        Column("Error", number=True),
        Column("Left out", number=True),
        Column(""),
        Column("Where"),
    ]
    cells = [_row_cells(row) for row in rows[:MOST_LISTED]]
    more = (
        f"{integer(len(rows))}, of which the first {MOST_LISTED} are listed"
        if len(rows) > MOST_LISTED
        else str(len(rows))
    )
    table = html.Div(plain_table(columns, cells, tight=True), className="table-scroll calibration-rows")
    return card("Rows", table, subtitle=more, flush=True)


def parameters_card(calibration: SocCalibration) -> Component:
    """Return every parameter, fitted or assumed, with its prior and the reason."""
    columns = [
        Column("Parameter"),
        Column("Value", number=True),
        Column(""),
        Column("Prior", number=True),
        Column("Note"),
    ]
    cells = [_parameter_cells(parameter) for parameter in calibration.parameters.values()]
    table = html.Div(plain_table(columns, cells, tight=True), className="table-scroll")
    return card("Parameters", table, subtitle="the name ends in the unit; shares have none", flush=True)


def _error_kpis(label: str, errors: ErrorSummary | None) -> list[Component]:
    """Return the median and worst; the row is told on hover."""
    if errors is None:
        return []
    return [
        kpi(
            f"{label}, median",
            f"{100 * errors.median:.1f}",
            "%",
            title=f"{many(errors.rows, 'row')}, mean {percent(errors.mean, 1)}",
        ),
        kpi(f"{label}, worst", f"{100 * errors.worst:.1f}", "%", title=errors.worst_row),
    ]


def _row_cells(row: CalibrationRow) -> list[Component | str]:
    unit = "" if row.in_unit == "ratio" else f"\u00a0{row.in_unit}"
    tone = chip(row.role, tone="warn" if row.role == "fitted" else "plain")
    figures = (
        f"{row.measured:.4g}{unit}",
        f"{row.estimated:.4g}{unit}",
        _signed(row.error),
        _signed(row.left_out_error),
    )
    return [row.name, *figures, tone, html.Span(row.where, className="t2", title=row.where)]


def _signed(error: float | None) -> str:
    words = percent(error, 1)
    return words if error is None or error < 0 else f"+{words}"


def _parameter_cells(parameter: Parameter) -> list[Component | str]:
    tone = chip(parameter.role, tone="warn" if parameter.role == "fitted" else "plain")
    prior = (
        f"{parameter.prior:.4g} ×/÷ {parameter.prior_factor:g}"
        if parameter.prior and parameter.prior_factor
        else MISSING
    )
    name = html.Span(parameter.name, className="mono")
    return [name, f"{parameter.value:.4g}", tone, prior, html.Span(parameter.note, className="t2")]
