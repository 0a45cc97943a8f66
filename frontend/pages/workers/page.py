"""Workers: their capabilities, current runs, uptime and recent errors. For administrators of the site."""

from __future__ import annotations

from typing import Any

import dash
from dash import ALL, Input, Output, callback, ctx, dcc, html
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from frontend.components.states import empty_state
from frontend.ids.workers import WorkersIds
from frontend.pages.workers.view import workers_view
from frontend.request import current_user
from webapp.runs.queue.worker_overview import set_draining
from webapp.teams.permissions import Action, may

_EVERY_MS = 5_000


def layout(**_query: str) -> Component:
    """Return the page for the signed-in user."""
    person = current_user()
    if not person.is_authenticated:
        return html.Div()
    if not may(person, Action.ADMINISTER):
        words = "Only administrators of the site see what each worker does. The bar above shows how many are running."
        state = empty_state("settings", "This page is for administrators", words, level=1)
        return html.Div(html.Section(state, className="card home-empty"), className="page")
    return html.Div(
        [
            dcc.Interval(id=WorkersIds.TICK, interval=_EVERY_MS),
            html.Div(html.H1("Workers"), className="head"),
            html.Div(workers_view(person), id=WorkersIds.BODY, className="page stack g12 workers-page"),
        ]
    )


dash.register_page(__name__, path="/workers", name="Workers", title="Workers · Paretoscope", layout=layout)


@callback(
    Output(WorkersIds.BODY, "children"),
    Input(WorkersIds.TICK, "n_intervals"),
    Input({"type": WorkersIds.ACTION_TYPE, "worker": ALL, "draining": ALL}, "n_clicks"),
    prevent_initial_call=True,
)
def show(_ticks: int | None, clicks: list[int | None]) -> Any:
    """Return the workers as they are now; a button has one finish its runs and take no other, or take runs again."""
    person, asked = current_user(), ctx.triggered_id
    if isinstance(asked, dict):
        if not any(clicks):
            raise PreventUpdate  # buttons that have just been drawn
        set_draining(person, str(asked["worker"]), draining=bool(asked["draining"]))
    return workers_view(person)
