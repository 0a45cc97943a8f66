"""Measurements while a run searched: the spent part of its budget, and the effect of the answers."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from engines.contract.results import Note, Table
from frontend.components.card import card
from frontend.components.static_part import static_part
from frontend.figures.numbers import many
from frontend.results.table import result_table
from webapp.runs.models import Run
from webapp.runs.results import readers


def while_searching_card(run: Run) -> list[Component]:
    """Return one card of a run with a budget of measurements; none of others."""
    told = [result for result in readers.results(run).values() if result.role == "measured"]
    if not told and not run.measure:
        return []
    words = [html.P(result.text, className="sm") for result in told if isinstance(result, Note)]
    tables = [static_part(result_table(result)) for result in told if isinstance(result, Table)]
    return [
        card("Measured during the search", html.Div([*(words or [_nothing_yet(run)]), *tables], className="stack g12"))
    ]


def _nothing_yet(run: Run) -> Component:
    budget = run.measure["designs"]
    words = many(budget, "design")
    if run.active:
        return html.P(
            f"None of {words} measured yet: {run.message or 'the run waits for a worker'}.", className="sm t2"
        )
    return html.P(f"The run ended before it asked for any of {words}.", className="sm t2")
