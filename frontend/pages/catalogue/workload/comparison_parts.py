"""The common parts of the comparisons on the page of a workload: their network, and picking a column of their heat maps."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Input, Output, clientside_callback
from dash.exceptions import PreventUpdate

from engines.workloads.network import Network, Scenario
from frontend.pages.catalogue.document.frame import shown_of
from frontend.pages.catalogue.document_cache import loaded


def compared_network(document: dict[str, Any], model: str | None) -> Network:
    """Return the network that the page compares.

    Args:
        document: the store of the page.
        model: place of the model that was picked, as text; None for a network.

    Raises:
        PreventUpdate: the document holds no network any more.
    """
    network = network_of(loaded(shown_of(document).entry), int(model) if model else 0)
    if network is None:
        raise PreventUpdate
    return network


def pick_in(heat_map: str, picker: str) -> None:
    """Make a click on a column of the heat map select its item."""
    clientside_callback(
        ClientsideFunction("catalogue", "pickLayer"),
        Output(picker, "value", allow_duplicate=True),
        Input(heat_map, "clickData"),
        prevent_initial_call=True,
    )


def network_of(value: Any, model: int) -> Network | None:
    """Return the network, or the picked one of a scenario's models (the first where there is no such)."""
    if isinstance(value, Scenario):
        return value.models[model if model < len(value.models) else 0].network
    return value if isinstance(value, Network) else None
