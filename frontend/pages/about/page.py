"""About: versions of this installation, and the packages of others that extend it."""

from __future__ import annotations

import sys

import dash
from dash import html
from dash.development.base_component import Component

from engines import registry
from engines.contract.plug_ins import CONTRACT, PlugIn
from engines.cost.estimators import registry as estimators
from engines.documents import families
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.request import current_user
from webapp import VERSION

_COLUMNS = tuple(Column(title) for title in ("Package", "Version", "Adds", "State"))


def layout(**_query: str) -> Component:
    """Return the page for the signed-in user."""
    if not current_user().is_authenticated:
        return html.Div()
    python = "{}.{}.{}".format(*sys.version_info[:3])
    words = f"Paretoscope {VERSION} on Python {python}. Plug-ins are for contract {CONTRACT}."
    found = [*registry.plug_ins(), *estimators.plug_ins(), *families.plug_ins()]
    body = html.Div([card("This installation", html.P(words)), _plug_ins(found)], className="page stack g12")
    return html.Div([html.Div(html.H1("About"), className="head"), body])


dash.register_page(__name__, path="/about", name="About", title="About · Paretoscope", layout=layout)


def _plug_ins(found: list[PlugIn]) -> Component:
    if not found:
        words = "A Python package that adds engines, hardware families or cost models appears here after a restart of the site."
        return card("Plug-ins", empty_state("book", "No plug-ins", html.Span(words, className="no-terms"), level=3))
    rows = [_row(each) for each in sorted(found, key=lambda each: (each.package, each.kind, each.name))]
    return card("Plug-ins", html.Div(plain_table(_COLUMNS, rows), className="table-scroll"))


def _row(each: PlugIn) -> list[Component | str]:
    works = chip("works", tone="good")
    broken = html.Div([chip("left out", tone="bad"), html.Span(each.problem, className="sm")], className="stack g4")
    return [each.package, each.version, f"{each.kind} {each.name}", broken if each.problem else works]
