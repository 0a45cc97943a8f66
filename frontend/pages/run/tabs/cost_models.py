"""The tab of cost models: which designs stay optimal under other models, and the layers on which the models disagree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from engines.contract.errors import EngineError
from engines.running.cost_models import has_cost_models
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_words import quantities_of
from frontend.figures.costs.layer_costs import layer_costs_figure, layer_costs_sentence
from frontend.figures.numbers import MISSING, percent, si
from frontend.pages.run.tab import RunTab, TabQuery
from hardware.errors import sentence
from webapp.runs.results.cost_models import cost_model_comparison, ratio_words, robust_sentences

_MOST_ROWS = 12


def cost_models_panel(asked: TabQuery) -> Component:
    """Return the content of the tab."""
    try:
        found = cost_model_comparison(asked.run)
    except EngineError as error:
        return card("Cost models", notice(str(error), tone="warn"))
    units = {quantity.name: (quantity.title, quantity.unit) for quantity in quantities_of(asked.run)}
    first, *others = found["models"]
    parts = [_designs_card(found, *units[found["metric"]])]
    parts += [part for other in others for part in _layer_cards(found["layers"], first, other, asked)]
    return html.Div(parts, className="stack g12")


def _designs_card(found: Mapping[str, Any], title: str, unit: str) -> Component:
    """Return the card of designs that are optimal under some cost model, with their regret."""
    models, numbers, metric = found["models"], found["numbers"], found["metric"]
    head = [Column("Design", number=True), *(Column(f"{title}, {model}", number=True) for model in models)]
    head += [Column("Largest loss", number=True), Column("Optimal under")]
    places = sorted(found["sometimes"], key=lambda place: _loss(found["largest_regret"][place]))[:_MOST_ROWS]
    rows = [
        [
            str(numbers[place]),
            *(si(found["values"][model][metric][place], unit) for model in models),
            _percent(found["largest_regret"][place]),
            ", ".join(model for model in models if found["optimal"][model][place]),
        ]
        for place in places
    ]
    said = html.Div([html.P(each, className="sm") for each in robust_sentences(found)], className="stack g4")
    table = html.Div(plain_table(head, rows, tight=True), className="table-scroll")
    return card("Designs under several cost models", html.Div([said, table], className="stack g12"))


def _layer_cards(layers: Mapping[str, Any], first: str, other: str, asked: TabQuery) -> list[Component]:
    picture = plot(
        layer_costs_figure(layers, first, other, asked.scheme), summary=layer_costs_sentence(layers, first, other)
    )
    kinds = [[kind, unit, ratio_words(ratio, first, other)] for kind, unit, ratio in layers["by_kind"][other]]
    by_kind = plain_table((Column("Kind of layer"), Column("Compute unit"), Column("Median")), kinds, tight=True)
    rows = [
        [
            *(layers[name][each["row"]] for name in ("network", "layer", "unit")),
            ratio_words(each["ratio"], first, other),
            html.Span(sentence(each["reason"]), className="units-why board-notes"),
        ]
        for each in layers["disagreements"][other]
    ]
    head = (Column("Network"), Column("Layer"), Column("Compute unit"), Column("Difference"), Column("Reason"))
    largest = plain_table(head, rows) if rows else notice("The two models agree on every layer.")
    notes = [
        html.P(f"{model}: {note}", className="xs t3") for model in (first, other) for note in layers["notes"][model]
    ]
    return [
        card(f"Layers: {first} and {other}", picture, actions=[figure_menu()], flush=True),
        card("Ratios by kind of layer", html.Div([by_kind, *notes], className="stack g8 table-scroll")),
        card("Largest differences", html.Div(largest, className="table-scroll")),
    ]


def _loss(value: float | None) -> float:
    return float("inf") if value is None else value


def _percent(share: float | None) -> str:
    return MISSING if share is None else percent(share)


def _lacks(engine: Engine) -> bool:
    return not has_cost_models(engine)


TAB = RunTab("cost-models", "Cost models", cost_models_panel, lacks=_lacks)
