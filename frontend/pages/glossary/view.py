"""The lists of the page *Glossary*."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from engines.contract.quantities import SHARE, Quantity
from engines.registry import installed_engines
from frontend.components.card import card
from frontend.glossary import metric_anchor, terms

_SENSES = {"minimise": "Lower is better.", "maximise": "Higher is better."}


def contents() -> Component:
    """Return all terms and all metrics, each at its anchor."""
    rows = [_term(each.anchor, each.term, each.definition) for each in terms()]
    nothing = html.P("No term or metric contains these letters.", id="glossary-empty", hidden=True, role="status")
    lists = [card("Terms", html.Dl(rows, className="glossary")), *(_metrics(engine) for engine in installed_engines())]
    return html.Div([*lists, nothing], id="glossary", className="page catalogue")


def _metrics(engine: Engine) -> Component:
    rows = [_term(metric_anchor(engine.name, each.name), _title(each), _help(each)) for each in engine.quantities]
    return card(f"Metrics of {engine.title}", html.Dl(rows, className="glossary"))


def _title(quantity: Quantity) -> str:
    unit = "%" if quantity.unit == SHARE else quantity.unit.strip()
    return f"{quantity.title} ({unit})" if unit else quantity.title


def _help(quantity: Quantity) -> str:
    return " ".join(part for part in (quantity.help, _SENSES.get(quantity.sense, "")) if part)


def _term(anchor: str, term: str, definition: str) -> Component:
    return html.Div([html.Dt(term), html.Dd(definition)], id=anchor, className="term")
