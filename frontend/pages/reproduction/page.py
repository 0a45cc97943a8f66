"""The page of one method: every published value, the computed value if there is one, and the run that computes it.

What is shown is kept in the address: `?table=` and `?verdict=`.
"""

from __future__ import annotations

from typing import Any

import dash
from dash import dcc, html
from dash.development.base_component import Component

from engines.registry import get_engine
from engines.reproduction.reproductions import engines_of, reproduction_of
from frontend.components.icon import icon
from frontend.components.shell.shell import remembered_scheme
from frontend.components.states import empty_state, notice
from frontend.designs.run_words import engine_title
from frontend.ids.reproductions import ReproductionIds
from frontend.pages.reproduction.job import actions, job_strip, state_of, tools
from frontend.pages.reproduction.view import body
from frontend.pages.reproduction.words import ReproductionQuery, facts
from frontend.request import current_user
from frontend.theme import Scheme
from webapp.reproductions.runs import newest_run
from webapp.reproductions.service import shown
from webapp.runs.models import Run
from webapp.teams.visibility import Principal

POLL_EVERY_MS = 1000


def layout(method: str = "", **query: str) -> Component:
    """Return the page for the signed-in user."""
    user = current_user()
    if not user.is_authenticated:
        return html.Div()
    name = reproduction_of(method)
    if name is None:
        words = dcc.Link("All reproductions", href="/reproductions")
        return html.Div(
            empty_state("search", "No published results of that method here", words, level=1), className="page"
        )
    asked = ReproductionQuery(query.get("table", ""), query.get("verdict", ""))
    run = newest_run(user, name)
    return html.Div(
        [
            dcc.Store(id=ReproductionIds.ASKED, data={"method": name, "named": method, **vars(asked)}),
            dcc.Store(id=ReproductionIds.STATE, data=state_of(run)),
            dcc.Interval(id=ReproductionIds.TICK, interval=POLL_EVERY_MS, disabled=not (run and run.active)),
            html.Div(
                content(user, name, method, asked, remembered_scheme(), run),
                id=ReproductionIds.BODY,
                className="stack g12",
            ),
        ],
        className="page",
    )


dash.register_page(
    __name__,
    path_template="/reproductions/<method>",
    exists=lambda _principal, method, _query: reproduction_of(method) is not None,
    name="Reproduction",
    title="Reproduction · Paretoscope",
    layout=layout,
)


def content(
    principal: Principal, name: str, named: str, asked: ReproductionQuery, scheme: Scheme, run: Run | None
) -> list[Component]:
    """Return everything below the bar.

    Args:
        principal: who looks.
        name: the engine whose reproduction it is.
        named: the engine that the address names; another one where `name` reproduces its results as well.
        asked: the filters.
        scheme: scheme of the pictures.
        run: the run that is of interest.
    """
    found = shown(name)
    return [
        _header(name, named, facts(found), actions(name, run, bool(found.made))),
        job_strip(principal, run),
        html.Div(id=ReproductionIds.ERROR, role="alert"),
        body(found, asked, scheme),
    ]


def _header(name: str, named: str, chips: list[Component], buttons: list[Component]) -> Component:
    engine = get_engine(name)
    crumb = html.Nav(
        [dcc.Link("Reproductions", href="/reproductions"), icon("chevron-right", "s"), html.Span(engine.title)],
        className="row sm t2",
        **{"aria-label": "Where you are"},
    )
    others: list[Any] = []
    if named != name:
        others.append(
            notice(f"{engine.title} computes the results of {engine_title(named)}: it is the engine that runs.")
        )
    elif set(engines_of(name)) - {name}:
        titles = " and ".join(engine_title(other) for other in engines_of(name))
        others.append(html.Span(f"computed by the engine {titles}", className="sm t3"))
    return html.Div(
        [
            crumb,
            html.Div(
                [
                    html.H1(f"{engine.title}: published and computed results"),
                    html.Div([*tools(name), *buttons], className="row g8 wrap repro-actions"),
                ],
                className="row between wrap",
            ),
            html.Div(
                [
                    html.Span(["Published in ", engine.source], className="sm t2"),
                    *others,
                    html.Span(className="sp"),
                    *chips,
                ],
                className="row g8 wrap",
            ),
        ],
        className="stack g8 repro-header",
    )
