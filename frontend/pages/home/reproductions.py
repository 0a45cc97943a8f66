"""The reproductions on Home: a card per method. They come after the page, which does not wait for them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dash import Input, Output, callback, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.reproduction.comparisons import compared
from engines.reproduction.reproductions import reproducible_engines
from engines.reproduction.verdicts import headline_counts
from frontend.components.states import skeleton
from frontend.ids.home import HomeIds
from frontend.pages.reproduction.card import reproduction_card
from frontend.pages.reproduction.words import TONES
from frontend.request import current_user
from webapp.reproductions.service import Shown, shown

_HEIGHT_PX = 252  # of a card
_WORDS = {
    "exact": "exact",
    "holds": "hold",
    "same side": "on the same side",
    "fit only": "only with a fit",
    "differs": "differ",
    "not computed": "not computed yet",
}


def reproductions_section() -> Component:
    """The place of the cards, with their skeletons."""
    blocks = [skeleton(_HEIGHT_PX) for _ in reproducible_engines()]
    return html.Section(
        [_head([]), html.Div(blocks, className="repro-cards")],
        id=HomeIds.REPRODUCTIONS,
        className="home-reproductions",
        **{"aria-label": "Reproductions"},
    )


@callback(Output(HomeIds.REPRODUCTIONS, "children"), Input(HomeIds.REPRODUCTIONS, "id"))
def show_reproductions(_id: str) -> Any:
    """The cards."""
    if not current_user().is_authenticated:
        raise PreventUpdate
    found = [shown(engine) for engine in reproducible_engines()]
    return [_head(found), html.Div([reproduction_card(each, level=3) for each in found], className="repro-cards")]


def _head(found: list[Shown]) -> Component:
    counts: Counter[str] = Counter()
    for each in found:
        counts.update(headline_counts(compared(each.rows), each.computed))
    told = [
        html.Span(
            [html.Span(str(counts[verdict]), className="b num"), f" {words}"],
            className=f"sm repro-count {TONES[verdict]}",
        )
        for verdict, words in _WORDS.items()
        if counts[verdict]
    ]
    return html.Div(
        [
            html.H2("Reproductions"),
            html.Span("published values beside ours", className="sm t2"),
            html.Span(className="sp"),
            *told,
            dcc.Link("See all", href="/reproductions", className="sm"),
        ],
        className="row g12 wrap home-reproductions-head",
    )
