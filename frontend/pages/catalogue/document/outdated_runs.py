"""The runs that an edit of a document made out of date, and the studies that compute them again before and after. No callbacks."""

from __future__ import annotations

from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.name import cut_name
from frontend.figures.numbers import integer, many
from frontend.ids.catalogue import DocumentIds
from webapp.catalogue.models import Document
from webapp.runs.outdated import outdated_runs
from webapp.studies.rerun_studies import RerunStudy, offers, seen_out_of_date
from webapp.teams.permissions import Action, may
from webapp.teams.visibility import Principal

_MOST_RUNS, _MOST_OFFERS = 5, 6


def outdated_box(principal: Principal, document: Document) -> Component | None:
    """Return the runs with an older version as far as `principal` sees them, and what to do about them; None without any."""
    found = seen_out_of_date(principal, document)
    count = found.count()
    elsewhere = outdated_runs(document).count() - count if may(principal, Action.ADMINISTER) else 0
    if not count and not elsewhere:
        return None
    links = [
        dcc.Link(
            [cut_name(run.title), html.Span(f"{run.pk:04d}", className="mono t3")],
            href=f"/runs/{run.pk}",
            className="li",
        )
        for run in found[:_MOST_RUNS]
    ]
    more = (
        [html.Div(f"and {integer(count - _MOST_RUNS)} more", className="xs t3 document-none")]
        if count > _MOST_RUNS
        else []
    )
    others = f"{_runs(elsewhere)} in projects of which you are no member; their members see them." if elsewhere else ""
    offered = offers(principal, document)
    return html.Div(
        [
            html.Div(f"{_runs(count)} with an older version", className="b sm"),
            html.Div([*links, *more]),
            *([html.Div(others, className="xs t3")] if others else []),
            *([html.Div("Run again as a study, before and after the change:", className="sm")] if offered else []),
            *[_offer(document, each) for each in offered[:_MOST_OFFERS]],
            html.Div(id=DocumentIds.AGAIN_SAID, role="status"),
        ],
        className="stack document-outdated",
    )


def _offer(document: Document, each: RerunStudy) -> Component:
    seeds = len(each.study["seeds"])
    words = f"{each.engine.title}: {integer(seeds)} seed{'s' if seeds > 1 else ''}, {_runs(each.cells)}"
    name = {"type": DocumentIds.AGAIN_TYPE, "name": f"{document.pk}-{each.name}"}
    numbers = ", ".join(f"{number:04d}" for number in each.runs[:20])
    return html.Div(button(words, id=name, icon="player-play", size="small", title=f"Same inputs as runs {numbers}"))


def _runs(count: int) -> str:
    return many(count, "run")
