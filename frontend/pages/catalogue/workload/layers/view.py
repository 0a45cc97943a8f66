"""The comparison of dataflows as drawn: heat map, whole network, one layer. No callbacks."""

from __future__ import annotations

from typing import Any

import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.contract.errors import ProblemError
from engines.contract.results import Breakdown
from engines.cost.preferences import QUANTITIES, LayerPreferences, Quantity
from engines.workloads.layer_table import layer_rows
from engines.workloads.network import Network
from frontend.components.chip import chip
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import picture_menu
from frontend.components.pictures.kpi import pairs
from frontend.figures.costs.breakdown import breakdown_figure
from frontend.figures.layers.layer_preferences import (
    SHOWN,
    choice_title,
    preference_figure,
    preference_height,
    preference_sentence,
)
from frontend.figures.numbers import MISSING, integer, percent, ratio, si
from frontend.ids.catalogue import LayerIds
from frontend.pages.catalogue.workload.comparison import ComparisonView, choices_table, heat_width_px, no_heat, remark
from frontend.pages.catalogue.workload.layers.query import ALL, SAME_SIZE, DataflowQuery, compared
from frontend.results.registry import result_sentence
from frontend.theme import Scheme
from webapp.teams.visibility import Principal

PARTS = ("MAC", "Level 1", "Level 2", "Package network", "Off-chip")


def comparison_view(
    principal: Principal, network: Network, asked: DataflowQuery, scheme: Scheme, viewport_px: int
) -> ComparisonView:
    """Return the comparison as drawn; where it cannot be made, why."""
    try:
        found = compared(principal, network, asked)
    except ProblemError as error:
        return ComparisonView([], no_heat(str(error), wrong=True))
    layer = min(asked.layer, len(network.layers) - 1)
    width = heat_width_px(viewport_px)
    figure = preference_figure(found, asked.show, asked.reference == SAME_SIZE, layer, scheme, width_px=width)
    words = preference_sentence(found, asked.quantity)
    heat = plot(figure, height_px=int(preference_height(found)), summary=words, id=LayerIds.GRAPH)
    return ComparisonView(
        _legend(found, asked),
        heat,
        totals_view(found, asked.quantity, scheme),
        detail_view(found, layer, asked, scheme),
    )


def _legend(found: LayerPreferences, asked: DataflowQuery) -> list[Component]:
    """Return the legend of colours, unchecked mappings and layers that exceed the buffer."""
    if asked.show in QUANTITIES:
        to = "any choice" if asked.reference == ALL else "any dataflow on an array of the same size"
        words = f"{SHOWN[asked.show]} of a layer, as a multiple of the best by {to}; a dot marks the best"
    elif asked.show == "utilisation":
        words = "MACs as a share of what the array could do in the run time"
    else:
        words = "Required size of the shared buffer in one step of the mapping, doubled; a cross marks layers above it"
    parts: list[Component] = [html.Span(words, className="sm t2")]
    if not all(choice.checked for choice in found.choices):
        hint = "Follows MAESTRO's rules, but there are no outputs of MAESTRO to compare with"
        parts.append(chip("* not checked against MAESTRO", tone="warn", title=hint))
    whole = int(found.exceeds_whole().sum())
    if whole:
        size = si(float(found.buffer_bytes.max()), "B")
        layers = f"{whole} layer" + ("s" if whole > 1 else "")
        hint = "Their weights, input and output do not fit at once. Repeated transfers are not included in these values"
        parts.append(chip(f"{layers} larger than the buffer of {size}", tone="warn", icon="alert-triangle", title=hint))
    return parts


def totals_view(found: LayerPreferences, quantity: Quantity, scheme: Scheme) -> Component:
    """Return the network under each choice alone, and with each layer on the choice that it prefers."""
    best = found.best(quantity)
    rows_of = np.arange(len(best))
    heads = ("Latency", "Energy", "EDP", "Use", "Preferred by")
    rows = []
    for position, choice in enumerate(found.choices):
        title = choice_title(choice)
        shown = html.Span(title, className="b", title="A chiplet of this package") if choice.on_package else title
        count = int((best == position).sum())
        use = _use(found, found.latency_s[:, position].sum(), choice.processing_elements)
        row = _total_row(shown, found.latency_s[:, position], found.energy_j[:, position], use)
        rows.append([*row, _layers(count) if count else MISSING])
    chosen = _total_row("Each layer's preferred", found.latency_s[rows_of, best], found.energy_j[rows_of, best], None)
    single = _sums(found, quantity).min()
    breakdown = Breakdown(
        "energy",
        "Energy",
        tuple(choice_title(choice, short=True) for choice in found.choices),
        PARTS,
        np.array([energy_parts(found, position).sum(axis=0) for position in range(len(found.choices))]),
        "J",
    )
    return html.Div(
        [
            choices_table("All layers on", heads, [*rows, [*chosen, _layers(len(best))]], selected=len(rows)),
            remark(
                "One sample, layer after layer. The best single choice takes "
                f"{ratio(single / _chosen(found, quantity))} the {SHOWN[quantity]} of the preferred choice "
                "per layer. Bold: a chiplet of the package."
            ),
            _breakdown(breakdown, "Energy of the whole network by part", scheme),
        ]
    )


def _sums(found: LayerPreferences, quantity: Quantity) -> Any:
    """Return the whole network on each choice, shape `m`."""
    return _of_sums(quantity, found.latency_s.sum(axis=0), found.energy_j.sum(axis=0))


def _chosen(found: LayerPreferences, quantity: Quantity) -> float:
    """Return the whole network with each layer on the choice that it prefers."""
    best, rows = found.best(quantity), np.arange(len(found.latency_s))
    return float(_of_sums(quantity, found.latency_s[rows, best].sum(), found.energy_j[rows, best].sum()))


def _of_sums(quantity: Quantity, latency_s: Any, energy_j: Any) -> Any:
    return latency_s if quantity == "latency" else energy_j if quantity == "energy" else latency_s * energy_j


def _use(found: LayerPreferences, latency_s: float, elements: int) -> float:
    return float(found.network.macs / (latency_s * found.package.clock_hz * elements))


def _layers(count: int) -> str:
    return f"{integer(count)} layer" + ("s" if count > 1 else "")


def _total_row(title: Component | str, latency_s: Any, energy_j: Any, use: float | None) -> list[Component | str]:
    latency, energy = float(latency_s.sum()), float(energy_j.sum())
    return [title, si(latency, "s"), si(energy, "J"), si(latency * energy, "J·s"), percent(use)]


def energy_parts(found: LayerPreferences, position: int) -> Any:
    """Return the energy of each layer under a choice by part, shape `n x 5`; the last two as if it ran alone."""
    columns = (found.compute_j[:, position], found.level1_j[:, position], found.level2_j[:, position])
    return np.stack([*columns, found.package_network_j, found.off_chip_j], axis=1)


def detail_view(found: LayerPreferences, layer: int, asked: DataflowQuery, scheme: Scheme) -> Component:
    """Return one layer: its shape, the cost of each dataflow, and the parts of its energy."""
    row = layer_rows(found.network, found.package.word_bytes)[layer]
    facts = [
        ("Operation", row.operation), ("Input, padded", row.input_shape), ("Kernel or second operand", row.kernel),
        ("Output", row.output_shape), ("MACs", si(row.macs, "MAC")), ("Parameters", integer(row.parameters)),
        ("Activations", si(row.activation_bytes, "B")), ("Intensity", f"{row.intensity_macs_per_byte:.3g} MAC/B"),
        ("Moved once, whole", si(float(found.moved_bytes[layer]), "B")),
    ]  # fmt: skip
    breakdown = Breakdown(
        "layer-energy",
        "Energy",
        tuple(choice_title(choice, short=True) for choice in found.choices),
        PARTS,
        np.array([energy_parts(found, position)[layer] for position in range(len(found.choices))]),
        "J",
    )
    folded = ", ".join(row.folded)
    return html.Div(
        [
            html.Div(_verdict(found, layer, asked.quantity), className="row wrap layers-verdict"),
            html.Div(pairs(facts), className="layers-facts"),
            html.Div(["Fused in: ", folded], className="xs t3 layers-note el", title=folded) if folded else None,
            _choice_table(found, layer, asked.quantity),
            _breakdown(breakdown, "Energy of the layer by part", scheme),
        ]
    )


def _verdict(found: LayerPreferences, layer: int, quantity: Quantity) -> list[Component]:
    """Return a sentence on the best choice and its margin."""
    best, margin = int(found.best(quantity)[layer]), float(found.margins(quantity)[layer])
    name = SHOWN[quantity]
    if margin == 1.0:
        depthwise = found.network.layers[layer].depthwise
        words = (
            "same cost on every dataflow: each channel separately (dpt)"
            if depthwise
            else "another dataflow has equal cost"
        )
        parts: list[Component] = [chip(f"{name}: no preference", tone="plain"), html.Span(words, className="sm t2")]
    else:
        parts = [chip(f"{name}: {choice_title(found.choices[best])}", tone="acc")]
        if np.isfinite(margin):
            parts.append(html.Span(f"the next dataflow takes {ratio(margin)}", className="sm t2"))
    if found.exceeds_whole()[layer]:
        parts.append(chip("does not fit the buffer whole", tone="warn", icon="alert-triangle"))
    return parts


def _choice_table(found: LayerPreferences, layer: int, quantity: Quantity) -> Component:
    heads = ("Latency", "Energy", "EDP", f"to best {SHOWN[quantity]}", "Use", "Buffer need")
    ratios, edp, energy = found.ratios(quantity)[layer], found.values("edp")[layer], found.energy_j[layer]
    over = found.exceeds_buffer()[layer]
    rows = []
    for position, choice in enumerate(found.choices):
        need = si(float(found.buffer_need_bytes[layer, position]), "B")
        rows.append(
            [
                choice_title(choice),
                si(float(found.latency_s[layer, position]), "s"),
                si(float(energy[position]), "J"),
                si(float(edp[position]), "J·s"),
                ratio(float(ratios[position])),
                percent(float(found.utilisation[layer, position])),
                html.Span([need, " ", html.Span("over", className="bad b")]) if over[position] else need,
            ]
        )
    return choices_table("Choice", heads, rows, selected=int(found.best(quantity)[layer]))


def _breakdown(breakdown: Breakdown, title: str, scheme: Scheme) -> Component:
    height = 84 + 20 * len(breakdown.bars)
    figure = breakdown_figure(breakdown, scheme, height_px=height)
    note = (
        "Level 1 and 2: buffers in the array and of the chiplet. The model has no energy of the "
        "network-on-chip. Network-on-package and off-chip: weights, input and output moved once."
    )
    head = html.Div([html.B(title, className="sm grow"), picture_menu(table=True)], className="row layers-part")
    picture = plot(figure, height_px=height, summary=result_sentence(breakdown))
    return html.Div([head, picture, remark(note)], className="picture", **{"data-name": title, "data-label": title})
