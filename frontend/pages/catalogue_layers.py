"""Which dataflow suits which layer, on the page of a workload: the controls and the cards that follow them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.cost.dataflow import MAPPINGS
from engines.cost.preferences import MOST_ARRAY_SIZES
from engines.workloads.network import Network
from frontend.components.button import icon_button
from frontend.components.figure_menu import figure_menu
from frontend.figures.layer_preferences import SHOWN
from frontend.figures.numbers import integer
from frontend.ids.catalogue import LayerIds
from frontend.pages.catalogue_layers_asked import ARRAY_SIZES, REFERENCES, Asked, packages
from frontend.pages.catalogue_layers_view import comparison_view
from frontend.theme import Scheme
from webapp.teams.visibility import Principal


def heat_card(principal: Principal, network: Network, asked: Asked, scheme: Scheme, viewport_px: int) -> Component:
    """Everything about the comparison: its controls, the heat map, below it the whole network and one layer."""
    shown = comparison_view(principal, network, asked, scheme, viewport_px)
    head = html.Div(
        [
            html.H3("What suits each layer"),
            html.Span(className="sp"),
            _segments(LayerIds.SHOW, SHOWN, asked.show, "Shown quantity"),
            _segments(LayerIds.REFERENCE, REFERENCES, asked.reference, "Compared with the best of"),
            figure_menu(),
        ],
        className="ch layers-head",
    )
    return html.Div(
        [
            html.Section(
                [
                    head,
                    html.Div(_pickers(principal, asked), className="row wrap layers-pickers"),
                    html.Div(shown.legend, id=LayerIds.LEGEND, className="layers-legend"),
                    html.Div(shown.heat, id=LayerIds.HEAT),
                ],
                className="card",
                **{"aria-label": "What suits each layer"},
            ),
            html.Div(
                [
                    html.Section(
                        [
                            html.Div(html.H3("Whole network"), className="ch"),
                            html.Div(shown.totals, id=LayerIds.TOTALS),
                        ],
                        className="card",
                        **{"aria-label": "Whole network"},
                    ),
                    html.Section(
                        [
                            _layer_head(network, asked),
                            html.Div(shown.detail, id=LayerIds.DETAIL, **{"aria-live": "polite"}),
                        ],
                        className="card",
                        **{"aria-label": "Picked layer"},
                    ),
                ],
                className="layers-lower",
            ),
        ],
        className="stack g12",
    )


def _segments(control_id: str, options: Mapping[Any, str], value: str, label: str) -> Component:
    data = [{"value": name, "label": words} for name, words in options.items()]
    control: Component = dmc.SegmentedControl(id=control_id, data=data, value=value, size="xs", **{"aria-label": label})
    return control


def _pickers(principal: Principal, asked: Asked) -> list[Component]:
    package: Component = dmc.Select(
        id=LayerIds.PACKAGE,
        data=[{"value": entry.name, "label": entry.title} for entry in packages(principal)],
        value=asked.package,
        searchable=True,
        allowDeselect=False,
        w=220,
        **{"aria-label": "Package"},
    )
    mappings = [{"value": name, "label": name + ("" if entry.checked else "*")} for name, entry in MAPPINGS.items()]
    sizes = [{"value": str(size), "label": integer(size)} for size in ARRAY_SIZES]
    return [
        _labelled("Figures of", package),
        _labelled("Dataflows", _several(LayerIds.MAPPINGS, mappings, list(asked.mappings), "Dataflows", 320)),
        _labelled(
            "Array sizes", _several(LayerIds.SIZES, sizes, [str(size) for size in asked.sizes], "Array sizes", 230)
        ),
    ]


def _several(control_id: str, data: list[dict[str, str]], value: list[str], label: str, width: int) -> Component:
    control: Component = dmc.MultiSelect(
        id=control_id, data=data, value=value, maxValues=MOST_ARRAY_SIZES, w=width, size="xs", **{"aria-label": label}
    )
    return control


def _labelled(label: str, control: Component) -> Component:
    return html.Span([html.Span(label, className="sm t3"), control], className="row")


def _layer_head(network: Network, asked: Asked) -> Component:
    options = [{"value": str(layer.index), "label": f"{layer.index + 1} {layer.name}"} for layer in network.layers]
    select: Component = dmc.Select(
        id=LayerIds.LAYER,
        data=options,
        value=str(asked.layer if asked.layer < len(network.layers) else 0),
        searchable=True,
        allowDeselect=False,
        w=260,
        nothingFoundMessage="No such layer",
        **{"aria-label": "Layer"},
    )
    steps = [
        icon_button(f"chevron-{side}", words, id={"type": LayerIds.STEP_TYPE, "step": step})
        for side, words, step in (("left", "Layer before", -1), ("right", "Next layer", 1))
    ]
    return html.Div([html.H3("Layer"), select, *steps], className="ch")


def model_picker(titles: Sequence[str], model: int) -> Component:
    """Which model of a scenario the comparison is about."""
    select: Component = dmc.Select(
        id=LayerIds.MODEL,
        data=[{"value": str(i), "label": title} for i, title in enumerate(titles)],
        value=str(model),
        allowDeselect=False,
        w=260,
        **{"aria-label": "Model"},
    )
    return select


def no_model_picker() -> Component:
    """In place of the picker on the page of a single network."""
    return html.Div(dcc.Input(id=LayerIds.MODEL, type="hidden"), hidden=True)
