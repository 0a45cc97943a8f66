"""The button that shares what a page shows, and its dialog, which is filled when it is opened."""

from __future__ import annotations

from typing import Literal

from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.icon import icon
from frontend.ids.share import ShareIds

Shareable = Literal["run", "study", "comparison", "report"]


def share_control(kind: Shareable, number: int) -> Component:
    """Return the button and the dialog for one run, study, comparison or report."""
    opener = html.Button(
        [icon("share", "s"), "Share"],
        id=ShareIds.OPEN,
        className="btn",
        type="button",
        **{"data-opens": ShareIds.DIALOG, "aria-haspopup": "dialog"},
    )
    close = html.Button(
        icon("x"), className="ib", type="button", title="Close", **{"data-closes": "", "aria-label": "Close"}
    )
    head = html.Div([html.H2(f"Share this {kind}"), html.Span(className="sp"), close], className="row")
    dialog = html.Dialog(
        [
            dcc.Store(id=ShareIds.THING, data={"kind": kind, "number": number}),
            head,
            html.Div(id=ShareIds.BODY, className="stack g12"),
        ],
        id=ShareIds.DIALOG,
        className="dialog share",
        **{"aria-label": f"Share this {kind}"},
    )
    return html.Span([opener, dialog])
