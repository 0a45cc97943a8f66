"""The gallery: a tile per finished run that comes with the software, for guests and everybody with an account."""

from __future__ import annotations

from functools import partial

import dash
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.bounded_cache import BoundedCache
from frontend.components.button import link_button
from frontend.components.kept_part import kept_part
from frontend.components.pictures.front_thumbnail import front_thumbnail
from frontend.components.states import empty_state
from frontend.designs.run_words import engine_title
from frontend.figures.numbers import many
from frontend.pages.run.run_reader import designs_of
from frontend.pages.share.preview import answer_sentence
from frontend.request import current_user
from webapp.gallery.service import gallery_runs
from webapp.runs.models import Run
from webapp.teams.permissions import somebody

_WHAT = (
    "Finished runs of published methods. Open one to explore its Pareto front, change hardware values and see the causes "
    "of a result. Your changes are not stored."
)
_EMPTY = "An administrator of the site opens its runs with the command paretoscope gallery."
# Runs of the gallery never change.
_tiles: BoundedCache[int, Component] = BoundedCache(64)


def layout(**_query: str) -> Component:
    """Return the page for the person who looks."""
    principal = current_user()
    if not somebody(principal):
        return html.Div()
    runs = gallery_runs(principal)
    tiles = html.Div([_tiles.made(run.pk, partial(_tile, run)) for run in runs], className="gallery")
    body = tiles if runs else html.Section(empty_state("layout-grid", "The gallery is empty", _EMPTY), className="card")
    head = [
        html.Div([html.H1("Gallery"), html.Span(many(len(runs), "run"), className="sm t2")], className="row g12 wrap"),
        link_button("Estimate your network", "/survey", icon="cpu", kind="primary"),
    ]
    return html.Div(
        [html.Div(head, className="row between wrap"), html.P(_WHAT, className="sm t2"), body],
        className="page stack g12",
    )


dash.register_page(__name__, path="/gallery", name="Gallery", title="Gallery · Paretoscope", layout=layout)


def _tile(run: Run) -> Component:
    designs = designs_of(run)
    pages = [
        dcc.Link(words, href=f"/runs/{run.pk}?tab={tab}", className="sm")
        for words, tab in (("Why?", "why"), ("What if", "what-if"))
    ]
    compare = dcc.Link("Compare", href=f"/compare?runs={run.pk}", className="sm")
    tile = html.Section(
        [
            front_thumbnail(designs),
            dcc.Link(html.H2(run.title, className="card-title"), href=f"/runs/{run.pk}", className="gallery-question"),
            html.P(answer_sentence(run), className="sm t2"),
            html.Div(
                [html.Span(engine_title(run.engine), className="xs t3 grow"), *pages, compare], className="row g12 wrap"
            ),
        ],
        className="card gallery-tile",
        **{"aria-label": run.title},
    )
    return kept_part(tile)
