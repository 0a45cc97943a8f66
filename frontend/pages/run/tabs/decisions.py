"""The decisions tab: a figure over a decision, and which decisions matter for it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import ClientsideFunction, Input, Output, State, callback, clientside_callback, html
from dash.development.base_component import Component

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.bounded_cache import BoundedCache
from engines.contract.decision_columns import decided_cells
from engines.contract.errors import EngineError, ProblemError
from engines.contract.quantities import Quantity
from engines.running.importance import MOST_DESIGNS, importance_in_child
from engines.search.decision_features import Feature, features_of
from engines.search.importance import LEAST_DESIGNS, Importance
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.states import empty_state, notice, skeleton_rows
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import in_sentence, integer, many
from frontend.figures.statistics.decision_plot import decision_figure
from frontend.figures.statistics.importance import MOST_BARS, explained_words, importance_figure
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.pages.run.run_reader import decisions_of, designs_of, open_run
from frontend.pages.run.tab import RunTab, TabQuery
from frontend.theme import Scheme
from webapp.runs.models import Run

_importances: BoundedCache[str, Importance] = BoundedCache(64)


@dataclass(frozen=True)
class Sample:
    """Designs of the search that have a value of a quantity, at most `MOST_DESIGNS`, the same at every look.

    Attributes:
        numbers: numbers of the designs, ascending, shape `n`.
        values: shape `n`.
        texts: their decisions as JSON, `n` of them.
        total: number of total.
    """

    numbers: IntArray
    values: FloatArray
    texts: list[str]
    total: int


def sample_of(run: Run, designs: RunDesigns, name: str) -> Sample:
    """Return the designs that a plot and a model of a quantity look at."""
    values = designs.columns[name]
    found = np.flatnonzero(designs.searched & np.isfinite(values))
    total = len(found)
    if total > MOST_DESIGNS:
        found = np.sort(found[np.argsort(designs.draw_order[found], kind="stable")[:MOST_DESIGNS]])
    return Sample(found, values[found], list(decisions_of(run, designs).read(found.tolist())), total)


def plotted_features(run: Run, designs: RunDesigns, sample: Sample) -> dict[str, Feature]:
    """Return title -> what the sampled designs decide, of decisions in which they differ."""
    decisions = decisions_of(run, designs)
    rows = [decided_cells(decisions.declared, json.loads(text)) for text in sample.texts]
    features = [
        feature
        for column in decisions.columns
        for feature in features_of(column, [row.get(column.name) for row in rows])
        if len(set(feature.values)) > 1
    ]
    return {feature.title: feature for feature in features}


def offered_quantities(designs: RunDesigns) -> list[Quantity]:
    """Return the metrics on offer: all that differ between designs and are no decisions, objectives first."""
    shown = [q for q in designs.shown if q.role != "decision"]
    differing = [q for q in shown if np.nanmin(designs.columns[q.name]) < np.nanmax(designs.columns[q.name])]
    return sorted(differing, key=lambda quantity: quantity.role != "objective")


def decisions_panel(run: Run, of: str = "", by: str = "") -> Component:
    """Return the tab: which figure and which decision, both cards to be filled. `of` and `by` as in the address."""
    designs = designs_of(run)
    offered = offered_quantities(designs)
    if not offered or not designs.searched.any():
        return empty_state(
            "adjustments-horizontal", "No designs to compare", "Decisions are shown where designs differ."
        )
    names = [quantity.name for quantity in offered]
    first = next((name for name in (of, designs.primary) if name in names), names[0])
    chosen = dmc.Select(
        id=RunIds.DECIDED_OF, value=first, size="xs", w=240, allowDeselect=False, **{"aria-label": "Figure"},
        data=[{"value": q.name, "label": q.title} for q in offered],
    )  # fmt: skip
    depends = dmc.Select(
        id=RunIds.DECIDED_BY, value=by, size="xs", w=280, allowDeselect=False, searchable=True, data=[by] if by else [],
        **{"aria-label": "Decision"},
    )  # fmt: skip
    head = html.Div(
        [html.Span("How", className="sm t2"), chosen, html.Span("depends on", className="sm t2"), depends],
        className="row g8 wrap",
    )
    places = [
        html.Div(skeleton_rows(1, 420), id=RunIds.DECIDED_IMPORTANCE),
        html.Div(skeleton_rows(1, 420), id=RunIds.DECIDED_PLOT),
    ]
    return html.Div([head, html.Div(places, className="decided-cards")], className="stack g12")


def plot_card(run: Run, name: str, by: str, scheme: Scheme) -> tuple[Component, list[str], str]:
    """Return the plot, the titles of all decisions, and which of them is shown: the first where `by` is none of them."""
    designs = designs_of(run)
    sample = sample_of(run, designs, name)
    features = plotted_features(run, designs, sample)
    quantity = designs.quantity(name)
    if not features:
        return empty_state("adjustments-horizontal", "No decision differs among these designs", ""), [], ""
    feature = features.get(by) or next(iter(features.values()))
    front = frozenset(designs.front.tolist())
    picture = decision_figure(feature, quantity, sample.values, sample.numbers, front, scheme)
    part = "" if len(sample.numbers) == sample.total else f"{integer(len(sample.numbers))} of "
    words = f"{part}{many(sample.total, 'design')}; designs on the front are highlighted"
    told = f"{quantity.title} over {in_sentence(feature.title)}"
    content = plot(picture, summary=f"{told}: {words}.")
    return card(told, content, subtitle=words, actions=[figure_menu()], flush=True), list(features), feature.title


def importance_card(run: Run, name: str, scheme: Scheme) -> Component:
    """Return the card of the importance of decisions for a metric, computed once by a child process."""
    designs = designs_of(run)
    quantity, sample = designs.quantity(name), sample_of(run, designs, name)
    title = f"Important decisions for {in_sentence(quantity.title)}"
    if len(sample.numbers) < LEAST_DESIGNS:
        words = f"At least {LEAST_DESIGNS} designs are needed to tell which decisions matter; there are {len(sample.numbers)}."
        return card(title, notice(words), flush=True)
    try:
        found = _importance(run.engine, sample)
    except EngineError as error:
        alike = isinstance(error, ProblemError) and error.field == "designs"
        words = "These designs do not differ enough." if alike else str(error)
        return card(title, notice(words, tone="warn"), flush=True)
    words, trusted = explained_words(found, sample.total)
    best = ", ".join(found.titles[:3])
    picture = plot(importance_figure(found, scheme), summary=f"{title}: {best}. {words}")
    more = len(found.titles) - MOST_BARS
    rest = [html.P(f"{integer(more)} more matter less.", className="xs t3 pad")] if more > 0 else []
    method = "By shuffling a decision among designs that a random forest was not fitted to; the rule is one standard deviation."
    body = [notice(words, tone="plain" if trusted else "warn"), picture, *rest, html.P(method, className="xs t3 pad")]
    return card(title, html.Div(body), actions=[figure_menu()], flush=True)


def _importance(engine: str, sample: Sample) -> Importance:
    content = hashlib.sha256(sample.values.tobytes() + "\n".join([engine, *sample.texts]).encode()).hexdigest()
    return _importances.made(content, lambda: importance_in_child(engine, sample.texts, sample.values))


def _made(asked: TabQuery) -> Component:
    return decisions_panel(asked.run, *asked.decided)


TAB = RunTab("decisions", "Decisions", _made)


# -- callbacks --------------------------------------------------------------------------------------------------------


# What is chosen stands in the address; a link opens the same.
clientside_callback(
    ClientsideFunction("table", "decided"),
    Output(RunIds.DECIDED, "data"),
    Input(RunIds.DECIDED_OF, "value"),
    Input(RunIds.DECIDED_BY, "value"),
    prevent_initial_call=True,
)


@callback(
    Output(RunIds.DECIDED_PLOT, "children"),
    Output(RunIds.DECIDED_BY, "data"),
    Output(RunIds.DECIDED_BY, "placeholder"),
    Input(RunIds.DECIDED_OF, "value"),
    Input(RunIds.DECIDED_BY, "value"),
    State(ShellIds.SCHEME, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=False,
)
def show_plot(name: str, by: str, scheme: Any, run_id: int) -> Any:
    """Return the figure over the decision."""
    content, titles, shown = plot_card(open_run(run_id), name, by or "", scheme)
    return content, titles, shown


@callback(
    Output(RunIds.DECIDED_IMPORTANCE, "children"),
    Input(RunIds.DECIDED_OF, "value"),
    State(ShellIds.SCHEME, "data"),
    State(RunIds.RUN, "data"),
    prevent_initial_call=False,
)
def show_importance(name: str, scheme: Any, run_id: int) -> Any:
    """Return the card of the importance of decisions for the selected metric."""
    return importance_card(open_run(run_id), name, scheme)
