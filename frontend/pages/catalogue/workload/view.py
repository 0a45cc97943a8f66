"""The content of the page of a workload: totals, models of a scenario, comparison of dataflows, layers, graph. No callbacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.errors import ProblemError
from engines.workloads.builtins import builtin_networks
from engines.workloads.layer_table import layer_graph, network_totals
from engines.workloads.network import Network, Scenario, ScenarioModel, has_graph
from engines.workloads.tasks import task_of
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.pictures.kpi import kpi, kpi_si
from frontend.components.shell.shell import remembered_scheme, remembered_viewport
from frontend.components.states import empty_state
from frontend.components.table import Column, plain_table
from frontend.figures.generic import layer_graph_figure
from frontend.figures.numbers import MISSING, integer, many, percent, si
from frontend.ids.catalogue import DocumentIds
from frontend.pages.catalogue.data import workload_item
from frontend.pages.catalogue.document.frame import DocumentView, head, rail, tabs, yaml_tab
from frontend.pages.catalogue.document.versions import versions_tab
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.workload.comparison_parts import network_of
from frontend.pages.catalogue.workload.layer_table import layer_table
from frontend.pages.catalogue.workload.layers.panel import heat_card, model_picker, no_model_picker
from frontend.pages.catalogue.workload.layers.query import ASKED, DataflowQuery, asked_of, compared
from frontend.pages.catalogue.workload.units.query import units_asked
from frontend.pages.catalogue.workload.units.view import units_panel
from frontend.results.registry import result_sentence
from frontend.theme import Scheme
from webapp.teams.visibility import Principal

TABS = ("overview", "units", "layers", "graph", "versions", "yaml")
# Page gutters, the list at the left, gap and borders.
_BESIDE_GRAPH_PX = 32 + 248 + 12 + 26
# Drawing thousands of boxes would take the browser seconds and show nothing.
_MOST_NODES = 1500


def page(principal: Principal, shown: DocumentView, query: Mapping[str, Any]) -> Component:
    """Return everything below the header; `query` is the query string of the address."""
    tab = query.get("tab")
    tab = tab if tab in TABS else "overview"
    asked, value = asked_of(principal, query), loaded(shown.entry)
    # A scenario has a table for each of its models.
    layers = f"Layers {len(value.layers)}" if isinstance(value, Network) else "Layers"
    names = {"overview": "Overview", "units": "Units of a device", "layers": layers, "graph": "Graph", "versions": "Versions",
             "yaml": "YAML"}  # fmt: skip
    document = {"kind": "workload", "name": shown.entry.name, "version": shown.entry.version}
    viewport_px = remembered_viewport()["width"]
    return html.Div(
        [
            dcc.Store(id=DocumentIds.DOCUMENT, data=document),
            dcc.Store(id=DocumentIds.TAB, data=tab),
            dcc.Store(id=ASKED, data=asked.to_json()),
            head(shown, f"{workload_item(shown.entry).group}s", totals_line(shown)),
            tabs(names, tab),
            html.Div(
                [
                    rail(principal, shown),
                    html.Div(
                        [
                            html.Div(
                                overview(principal, value, asked, remembered_scheme(), viewport_px),
                                id=DocumentIds.OVERVIEW,
                                hidden=tab != "overview",
                            ),
                            html.Div(panel(principal, shown, tab, asked, query), id=DocumentIds.PANEL),
                        ],
                        className="grow",
                    ),
                ],
                className="page document-page",
            ),
        ]
    )


def totals_line(shown: DocumentView) -> Component:
    """Return the workload in numbers."""
    value, item = loaded(shown.entry), workload_item(shown.entry)
    parts = [kpi("Task", task_of(shown.entry.content))]
    if isinstance(value, Scenario):
        parts.append(kpi("Models", integer(len(value.models))))
    parts += [
        kpi("Layers", integer(item.layers)),
        kpi_si("MACs, all batches" if isinstance(value, Scenario) else "MACs of one sample", item.macs, "MAC"),
        kpi("Parameters", _short(item.parameters), title=f"{integer(item.parameters)} elements"),
        kpi_si("Activation peak", item.activation_peak, "B", note="Largest input and output of one layer, 1 byte each"),
    ]
    if isinstance(value, Network):
        intensity = f"{network_totals(value).intensity_macs_per_byte:.3g}"
        words = "MACs per byte of weights, inputs and outputs of all layers, each moved once; 1 byte per element"
        parts.append(kpi("Intensity", intensity, "MAC/B", title=words))
    return html.Div(parts, className="row g24 wrap run-line")


def _short(value: float | None) -> str:
    """Return a count with a prefix: 25.6 M."""
    return si(value, "B").removesuffix("B").rstrip()


def overview(principal: Principal, value: Any, asked: DataflowQuery, scheme: Scheme, viewport_px: int) -> Component:
    """Return the models of a scenario, and what suits the layers of the network or of the picked model."""
    network = network_of(value, asked.model)
    if network is None:
        words = "Another version of the product stored this document. You can still download its YAML."
        return card("Layers", empty_state("alert-triangle", "This document can no longer be read", words, level=3))
    parts: list[Component] = []
    if isinstance(value, Scenario):
        parts.append(models_card(value, asked.model))
    else:
        parts.append(no_model_picker())
    return html.Div([*parts, heat_card(principal, network, asked, scheme, viewport_px)], className="stack g12")


def models_card(scenario: Scenario, model: int) -> Component:
    """Return the models of a scenario with their batch and work, and which of them the comparison below is about."""
    asked = [(head, cell) for head, cell in _DEMANDS.items() if any(cell(each) != MISSING for each in scenario.models)]
    heads = (
        "Batch",
        *(head for head, _ in asked),
        "Layers",
        "MACs of one sample",
        "MACs of the batch",
        "Parameters",
        "Activation peak",
    )
    columns = [Column("Model"), *(Column(head, number=True) for head in heads)]
    rows = [_model_row(each, [cell(each) for _, cell in asked]) for each in scenario.models]
    titles = [each.network.title for each in scenario.models]
    picker = [html.Span("Layers below of", className="sm t3"), model_picker(titles, min(model, len(titles) - 1))]
    return card("Models", html.Div(plain_table(columns, rows), className="table-scroll"), actions=picker, flush=True)


# What a scenario may ask of a model besides its batch; a column only where any model has it.
_DEMANDS: Mapping[str, Callable[[ScenarioModel], str]] = {
    "Rate": lambda model: si(model.rate_fps, "fps"),
    "Deadline": lambda model: si(model.deadline_s, "s"),
    "Priority": lambda model: integer(model.priority),
    "Runs for": lambda model: percent(model.probability) if model.probability < 1.0 else MISSING,
    "Waits for": lambda model: model.depends_on or MISSING,
    "MACs per second": lambda model: si(model.macs_per_s, "MAC/s"),
}


def _model_row(model: ScenarioModel, demands: Sequence[str]) -> list[Component | str]:
    network, totals = model.network, network_totals(model.network)
    known = network.slug in builtin_networks()
    name: Component | str = (
        dcc.Link(network.title, href=f"/catalogue/workload/{network.slug}") if known else network.title
    )
    work = [si(totals.macs, "MAC"), si(model.batch * totals.macs, "MAC"), _short(totals.parameters)]
    return [
        name,
        integer(model.batch),
        *demands,
        integer(totals.layers),
        *work,
        si(totals.activation_peak_bytes, "B"),
    ]


def panel(
    principal: Principal, shown: DocumentView, tab: str, asked: DataflowQuery, query: Mapping[str, Any] | None = None
) -> Component | None:
    """Return the content of a tab other than the overview; `query` is the query string of the address."""
    given = query or {}
    if tab == "versions":
        return versions_tab(principal, shown, str(given.get("versus", "")))
    if tab == "yaml":
        return yaml_tab(shown)
    network = network_of(loaded(shown.entry), asked.model)
    if network is None or tab not in TABS[1:]:
        return None
    if tab == "units":
        units = units_asked(principal, network, given)
        return units_panel(principal, network, units, remembered_scheme(), remembered_viewport()["width"])
    if tab == "graph":
        return html.Div(graph_card(network, remembered_scheme(), remembered_viewport()["width"]), id=DocumentIds.GRAPH)
    try:
        return layer_table(network, compared(principal, network, asked), asked)
    except ProblemError:
        return layer_table(network, None, asked)


def graph_card(network: Network, scheme: Scheme, viewport_px: int) -> Component:
    """Return the layers as boxes in the order in which they run."""
    if len(network.layers) > _MOST_NODES:
        words = f"The graph shows up to {many(_MOST_NODES, 'layer')}. The table lists all."
        return card("Graph", empty_state("route", "Too many layers for a picture", words, level=3))
    graph = layer_graph(network)
    figure = layer_graph_figure(graph, scheme, width_px=max(420, viewport_px - _BESIDE_GRAPH_PX))
    groups = list(dict.fromkeys(node.group for node in graph.nodes))
    known = has_graph(network.operations)
    branches = (
        "each layer reads the results on its incoming lines"
        if known
        else "assumed to be a chain: the document has no connections"
    )
    subtitle = f"{', '.join(groups)}; in the order of the document, {branches}"
    body = html.Div(plot(figure, summary=result_sentence(graph)), className="document-picture")
    return card("Graph", body, subtitle=subtitle, actions=[figure_menu(table=False)], flush=True)
