"""All reproductions: per method a card with one published value, the computed one, and the verdicts of all comparisons."""

from __future__ import annotations

import dash
from dash import dcc, html
from dash.development.base_component import Component

from engines.reproduction.reproductions import engines_of, reproducible_engines
from frontend.designs.run_words import engine_title
from frontend.pages.reproduction.card import reproduction_card
from frontend.pages.reproduction.view import rules
from frontend.request import current_user
from webapp.reproductions.service import ReproductionSummary, shown

_WORDS = (
    "Published results and the results that the engines compute. Both come with the software: values were "
    "computed at its release. You can compute them again here at any time."
)


def layout(**_query: str) -> Component:
    """Return the page for the signed-in user."""
    if not current_user().is_authenticated:
        return html.Div()
    found = [shown(engine) for engine in reproducible_engines()]
    return html.Div(
        [
            html.Div([html.H1("Reproductions"), html.P(_WORDS, className="sm t2 repro-words")], className="stack g4"),
            html.Div([reproduction_card(each) for each in found], className="repro-cards"),
            html.P(
                [
                    dcc.Link("Language models: measured and predicted", href="/language-models"),
                    " compares public measurements on boards with predictions.",
                ],
                className="sm t2",
            ),
            *[_also(each) for each in found if set(engines_of(each.engine)) - {each.engine}],
            rules(),
        ],
        className="page stack g16",
    )


dash.register_page(
    __name__, path="/reproductions", name="Reproductions", title="Reproductions · Paretoscope", layout=layout
)


def _also(found: ReproductionSummary) -> Component:
    """Return the line on engines that compute the values of another method."""
    others = [engine_title(name) for name in engines_of(found.engine) if name != found.engine]
    title = engine_title(found.engine)
    link = dcc.Link(title, href=f"/reproductions/{found.engine}")
    return html.P(
        ["The engine ", html.B(" and ".join(others)), " is reproduced by the values of ", link, "."], className="sm t2"
    )
