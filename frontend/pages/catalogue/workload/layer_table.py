"""The layers of a network as a table: operation, shapes, work, and the dataflow that each prefers."""

from __future__ import annotations

from typing import Any

import dash_ag_grid as dag
import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.cost.preferences import LayerPreferences
from engines.workloads.layer_table import LayerRow, layer_rows
from engines.workloads.network import Network
from frontend.components.card import card_title
from frontend.components.table import grid_options
from frontend.figures.layers.layer_preferences import SHOWN, choice_title
from frontend.figures.numbers import many, ratio
from frontend.ids.catalogue import LayerIds
from frontend.pages.catalogue.workload.layers.query import DataflowQuery


def layer_table(network: Network, found: LayerPreferences | None, asked: DataflowQuery) -> Component:
    """Return one row per layer; `found` adds the preferred unit of each layer, None omits it."""
    word_bytes = found.package.word_bytes if found else 1
    rows = [_row(row) for row in layer_rows(network, word_bytes)]
    if found:
        for row, more in zip(rows, _preferences(found, asked), strict=True):
            row.update(more)
    words = f"{many(len(rows), 'layer')}; {many(word_bytes, 'byte')} per element"
    shared = sum(layer.weight_elements for layer in network.layers) - network.weight_elements
    words += f"; {many(shared, 'parameter')} of other layers, counted once in the total" if shared else ""
    head = html.Div([card_title("Layers"), html.Span(words, className="sm t3 num")], className="ch")
    table = dag.AgGrid(
        id=LayerIds.TABLE,
        rowData=rows,
        columnDefs=_columns(found, asked),
        defaultColDef={"resizable": True, "suppressHeaderMenuButton": True, "sortable": True, "filter": False},
        getRowId="params.data.id",
        dashGridOptions=grid_options(rowHeight=30, tooltipShowDelay=300),
        className="home-table layer-table",
        style={"height": None, "width": "100%"},
    )
    return html.Section([head, table], className="card", **{"aria-label": "Layers"})


def _columns(found: LayerPreferences | None, asked: DataflowQuery) -> list[dict[str, Any]]:
    right = {"type": "rightAligned", "cellClass": "num ag-right-aligned-cell"}

    def figure(field: str, head: str, unit: str, width: int = 92) -> dict[str, Any]:
        return {"field": field, "headerName": head, "cellRenderer": "Figure", "cellRendererParams": {"unit": unit},
                "width": width, **right}  # fmt: skip

    columns: list[dict[str, Any]] = [
        {"field": "number", "headerName": "#", "width": 56, **right},
        {
            "field": "name",
            "headerName": "Layer",
            "flex": 2,
            "minWidth": 170,
            "tooltipField": "name",
            "cellClass": "el-cell m5",
        },
        {"field": "operation", "headerName": "Operation", "width": 128, "tooltipField": "folded"},
        {"field": "input", "headerName": "Input", "headerTooltip": "Padding included", "width": 108, **right},
        {"field": "kernel", "headerName": "Kernel", "width": 92, **right},
        {"field": "output", "headerName": "Output", "width": 108, **right},
        figure("macs", "MACs", "MAC"),
        figure("parameters", "Parameters", "", 88),
        figure("activations", "Activations", "B", 88),
        figure("intensity", "Intensity", "MAC/B", 100),
    ]
    if found:
        columns += [
            {"field": "best", "headerName": f"{SHOWN[asked.quantity]} prefers", "flex": 1, "minWidth": 130},
            {"field": "margin", "headerName": "Next", "width": 74, **right,
             "headerTooltip": "Cost of the next best dataflow, as a multiple"},
            figure("need", "Buffer need", "B", 88),
            {"field": "fits", "headerName": "Fits", "width": 84,
             "headerTooltip": "Whether weights, input and output fit the chiplet's buffer at once"},
        ]  # fmt: skip
    return columns


def _row(row: LayerRow) -> dict[str, Any]:
    return {
        "id": str(row.index),
        "number": row.index + 1,
        "name": row.name,
        "operation": row.operation,
        "folded": "fused in: " + ", ".join(row.folded) if row.folded else row.operation,
        "input": row.input_shape,
        "kernel": row.kernel,
        "output": row.output_shape,
        "macs": row.macs,
        "parameters": row.parameters,
        "activations": row.activation_bytes,
        "intensity": row.intensity_macs_per_byte,
    }


def _preferences(found: LayerPreferences, asked: DataflowQuery) -> list[dict[str, Any]]:
    best, margins = found.best(asked.quantity), found.margins(asked.quantity)
    needs = found.buffer_need_bytes[np.arange(len(best)), best]
    whole, over = found.exceeds_whole(), found.exceeds_buffer()[np.arange(len(best)), best]
    return [
        {
            "best": "no preference" if margins[i] == 1.0 else choice_title(found.choices[best[i]], short=True),
            "margin": ratio(float(margins[i])) if margins[i] != 1.0 and np.isfinite(margins[i]) else "–",
            "need": float(needs[i]),
            "fits": "step does not" if over[i] else "in parts" if whole[i] else "whole",
        }
        for i in range(len(best))
    ]
