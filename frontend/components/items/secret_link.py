"""A link or a secret that is shown once, with a button that copies it."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from frontend.components.icon import icon


def secret_link(label: str, address: str, words: str = "", what: str = "link") -> Component:
    """Return the new link with its state, and the warning that it is shown only once.

    Args:
        label: label of the item.
        address: address of the link, or the secret.
        words: further news.
        what: "link" or "secret".
    """
    field = dmc.TextInput(
        value=address, readOnly=True, size="xs", classNames={"input": "mono"}, **{"aria-label": label}
    )
    copy = html.Button(
        [icon("copy", "s"), html.Span("Copy")],
        className="btn",
        type="button",
        title=f"Copy the {what}",
        **{"data-copy": address},
    )
    told = html.P([html.B(f"Copy the {what} now: "), "it is not shown again. ", words], className="sm t2")
    return html.Div([html.Div([field, copy], className="row"), told], className="stack secret", role="status")
