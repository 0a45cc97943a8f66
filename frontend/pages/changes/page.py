"""The change log of one's projects: filters in the address, fifty changes at a time, and the whole of it as a file."""

from __future__ import annotations

from typing import Any

import dash
from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, dcc, html
from dash.development.base_component import Component

from frontend.components.button import link_button
from frontend.ids.changes import ChangesIds
from frontend.pages.changes.view import FILTERS, controls, export_href, object_words, results
from frontend.request import current_user

_NAMES = (*FILTERS, "number", "before")


def layout(**query: str) -> Component:
    """Return the page for the signed-in user."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    given = {name: query[name][:100] for name in _NAMES if query.get(name)}
    export = html.Span(_export(given), id=ChangesIds.EXPORT)
    one = {name: given[name] for name in ("kind", "number") if name in given} if "number" in given else {}
    return html.Div(
        [
            dcc.Store(id=ChangesIds.OBJECT, data=one),
            html.Div(
                [html.H1("Change log"), *object_words(given), html.Span(className="sp"), export], className="head row"
            ),
            html.Div(
                [
                    html.Div(controls(principal, given), className="row wrap catalogue-controls"),
                    html.Section(
                        results(principal, given),
                        id=ChangesIds.RESULTS,
                        className="card changes",
                        **{"aria-label": "Changes", "aria-live": "polite"},
                    ),
                ],
                className="page catalogue",
            ),
        ]
    )


dash.register_page(__name__, path="/changes", name="Change log", title="Change log · Paretoscope", layout=layout)

_FILTERS = {"type": ChangesIds.FILTER_TYPE, "name": ALL}


@callback(
    Output(ChangesIds.RESULTS, "children"),
    Output(ChangesIds.EXPORT, "children"),
    Input(_FILTERS, "value"),
    State(_FILTERS, "id"),
    State(ChangesIds.OBJECT, "data"),
    prevent_initial_call=True,
)
def browse(values: list[str | None], ids: list[dict[str, str]], one: dict[str, str] | None) -> Any:
    """Return the changes that the filters leave."""
    given = {each["name"]: str(value) for each, value in zip(ids, values, strict=True) if value}
    if one and given.get("kind") == one.get("kind"):
        given |= one
    return results(current_user(), given), _export(given)


def _export(given: dict[str, str]) -> Component:
    return link_button("Export as CSV", export_href(given), icon="download", download="changes.csv")


clientside_callback(
    ClientsideFunction("pages", "changesAddress"),
    Output(ChangesIds.OBJECT, "modified_timestamp"),
    Input(_FILTERS, "value"),
    State(_FILTERS, "id"),
    State(ChangesIds.OBJECT, "data"),
    prevent_initial_call=True,
)
