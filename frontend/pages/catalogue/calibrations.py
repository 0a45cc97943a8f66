"""The list of calibrations, and the card of those of a device."""

from __future__ import annotations

from collections.abc import Sequence

from dash import dcc, html
from dash.development.base_component import Component

from engines.cost.calibration.words import inheritance_note
from frontend.components.card import card
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING, percent
from frontend.pages.catalogue.data import address_of
from hardware.calibration.loader import load_calibration
from hardware.soc.model import Soc
from webapp.catalogue.service import DocumentEntry, list_documents
from webapp.teams.visibility import Principal


def calibrations_card(principal: Principal, soc: Soc) -> Component:
    """Return the calibrations of a device, or of those that it was copied from, that `principal` may use, for the device's page."""
    if soc.by_dataflow:
        words = "No calibration is needed: the dataflow cost model estimates costs from the dataflow of the units."
        return card("Calibrations", html.Div(words, className="sm t3"))
    entries = [one for one in list_documents(principal, "calibration") if one.content.get("soc") in soc.names]
    own = dcc.Link("Calibrate with your measurements", href=f"/catalogue/calibrate?soc={soc.slug}", className="link nw")
    if not entries:
        words = (
            "Turn measurements into a calibration here or with paretoscope calibrate-soc. Without one, only "
            "SoC mapping can estimate this device, from its data sheet."
        )
        return card("Calibrations", html.Div(words, className="sm t3"), actions=[own])
    parts = [calibration_table(entries), *_inherited_lines(entries, soc)]
    return card("Calibrations", html.Div(parts), subtitle=str(len(entries)), actions=[own], flush=True)


def _inherited_lines(entries: Sequence[DocumentEntry], soc: Soc) -> list[Component]:
    """Return the lines on inherited values of a copied device, one for each measured device."""
    told: dict[str, str] = {}
    for entry in entries:
        calibration = load_calibration(entry.content)
        for note in inheritance_note(calibration, soc):
            told.setdefault(calibration.soc, note.text)
    return [html.Div(text, className="sm t2 layers-note") for text in told.values()]


def calibration_table(entries: Sequence[DocumentEntry]) -> Component:
    """Return one line per calibration: its errors and its project."""
    columns = [
        Column("Calibration"),
        Column("Device"),
        Column("Rows", number=True),
        Column("Median", number=True),
        Column("Worst", number=True),
        Column("Left out", number=True),
        Column("Owner"),
    ]
    return html.Div(plain_table(columns, [_entry_cells(entry) for entry in entries]), className="table-scroll")


def _entry_cells(entry: DocumentEntry) -> list[Component | str]:
    calibration = load_calibration(entry.content)
    errors, left_out = calibration.errors(), calibration.errors(left_out=True)
    return [
        dcc.Link(entry.title, href=address_of(entry)),
        calibration.soc,
        str(errors.rows) if errors else MISSING,
        percent(errors.median if errors else None, 1),
        html.Span(percent(errors.worst, 1), title=errors.worst_row) if errors else MISSING,
        percent(left_out.median if left_out else None, 1),
        "built in" if entry.builtin else str(entry.project),
    ]
