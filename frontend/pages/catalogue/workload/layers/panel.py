"""Which dataflow suits which layer, on the page of a workload: the controls and the cards that follow them."""

from __future__ import annotations

from collections.abc import Sequence

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.cost.dataflow.model import MAPPINGS
from engines.cost.preferences import MOST_ARRAY_SIZES
from engines.workloads.network import Network
from frontend.components.button import icon_button
from frontend.components.card import card_title
from frontend.figures.layers.layer_preferences import SHOWN
from frontend.figures.numbers import integer
from frontend.ids.catalogue import LayerIds
from frontend.pages.catalogue.workload.comparison import ComparisonFrame, labelled, one_of, segments
from frontend.pages.catalogue.workload.layers.query import ARRAY_SIZES, REFERENCES, DataflowQuery, packages
from frontend.pages.catalogue.workload.layers.view import comparison_view
from frontend.theme import Scheme
from webapp.teams.visibility import Principal

FRAME = ComparisonFrame(
    "Best dataflow per layer",
    "Whole network",
    "Picked layer",
    LayerIds.LEGEND,
    LayerIds.HEAT,
    LayerIds.TOTALS,
    LayerIds.DETAIL,
)


def heat_card(
    principal: Principal, network: Network, asked: DataflowQuery, scheme: Scheme, viewport_px: int
) -> Component:
    """Return everything about the comparison: its controls, the heat map, below it the whole network and one layer."""
    view = comparison_view(principal, network, asked, scheme, viewport_px)
    shown = [
        segments(LayerIds.SHOW, SHOWN, asked.show, "Shown metric"),
        segments(LayerIds.REFERENCE, REFERENCES, asked.reference, "Compared with the best of"),
    ]
    return FRAME.drawn(view, shown, _pickers(principal, asked), _layer_head(network, asked))


def _pickers(principal: Principal, asked: DataflowQuery) -> list[Component]:
    names = [{"value": entry.name, "label": entry.title} for entry in packages(principal)]
    mappings = [{"value": name, "label": name + ("" if entry.checked else "*")} for name, entry in MAPPINGS.items()]
    sizes = [{"value": str(size), "label": integer(size)} for size in ARRAY_SIZES]
    return [
        labelled("Package", one_of(LayerIds.PACKAGE, names, asked.package, "Package", 220)),
        labelled("Dataflows", _several(LayerIds.MAPPINGS, mappings, list(asked.mappings), "Dataflows", 320)),
        labelled(
            "Array sizes", _several(LayerIds.SIZES, sizes, [str(size) for size in asked.sizes], "Array sizes", 230)
        ),
    ]


def _several(control_id: str, data: list[dict[str, str]], value: list[str], label: str, width: int) -> Component:
    control: Component = dmc.MultiSelect(
        id=control_id, data=data, value=value, maxValues=MOST_ARRAY_SIZES, w=width, size="xs", **{"aria-label": label}
    )
    return control


def _layer_head(network: Network, asked: DataflowQuery) -> list[Component]:
    options = [{"value": str(layer.index), "label": f"{layer.index + 1} {layer.name}"} for layer in network.layers]
    picked = str(asked.layer if asked.layer < len(network.layers) else 0)
    select = one_of(LayerIds.LAYER, options, picked, "Layer", 260, nothingFoundMessage="No such layer")
    steps = [
        icon_button(f"chevron-{side}", words, id={"type": LayerIds.STEP_TYPE, "step": step})
        for side, words, step in (("left", "Layer before", -1), ("right", "Next layer", 1))
    ]
    return [card_title("Layer"), select, *steps]


def model_picker(titles: Sequence[str], model: int) -> Component:
    """Return the selector of the scenario's model to compare."""
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
    """Return the text in place of the picker on the page of a single network."""
    return html.Div(dcc.Input(id=LayerIds.MODEL, type="hidden"), hidden=True)
