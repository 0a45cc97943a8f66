"""Home of a person without runs: what this is, and the field of the survey."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from frontend.components.card import card
from frontend.pages.survey.field import survey_field
from webapp.teams.visibility import Principal

_WHAT = (
    "Paretoscope finds out how a neural network runs best on a board or a package of chiplets: which unit runs which part, how "
    "fast and with how much energy, by published methods and with proofs where there are any."
)


def first_steps(principal: Principal) -> Component:
    """The sentence and the field."""
    field = card(
        "Drop your model, pick a board", survey_field(principal), subtitle="priced on everything here within seconds"
    )
    return html.Div([html.P(_WHAT, className="home-what t2"), field], className="stack g12 home-first")
