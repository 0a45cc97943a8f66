"""The parts of the tab in which figures of the hardware are moved: sliders, table of the design, picture of the front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import dash_mantine_components as dmc
import numpy as np
from dash import dcc, html
from dash.development.base_component import Component

from engines.running.inspection import Estimator
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.certainty import quantity_sign
from frontend.components.icon import icon
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_designs import RunDesigns
from frontend.figures.front.moved_front import HEIGHT_PX, GhostFront, moved_front_figure
from frontend.figures.numbers import decimals_for, fixed, scale_of
from frontend.ids.what_if import WhatIfIds
from frontend.pages.run.design.card import design_name
from frontend.pages.run.what_if.data import (
    STEPS,
    MovedFigure,
    axes_of,
    change_sentence,
    step_of,
    value_words,
)
from frontend.pages.run.why.changes import signed_percent
from frontend.theme import Scheme
from hardware.movable import Movable
from webapp.runs.models import Run
from webapp.runs.results.moved_hardware import MovableDocument, StoredDocument

_ELSEWHERE = (
    "The error band is that of the original hardware. Estimates for changed values are scaled from it and less certain."
)
_GRAPH = {"displayModeBar": False, "responsive": True}


def sliders_card(documents: Sequence[MovableDocument], editable: bool) -> Component:
    """Return a slider for every figure, by document, and what is done with all of them."""
    parts: list[Component] = []
    for document in documents:
        parts.append(html.H3(f"{document.title} v{document.version}", className="sm b what-if-document"))
        parts += [_slider(document.slot, figure) for figure in document.figures]
    keep = button(
        "Keep as a new version", id=WhatIfIds.KEEP, kind="primary", size="small", disabled=True,
        title="Store the changed hardware in the run's project, for a new run",
    )  # fmt: skip
    actions = [button("Reset", id=WhatIfIds.RESET, kind="quiet", size="small")]
    body = html.Div(parts, className="what-if-sliders")
    foot = html.Div([keep, html.Div(id=WhatIfIds.KEPT, **{"aria-live": "polite"})], className="stack why-words")
    return card("Change values of the hardware", body, foot if editable else None, actions=actions, flush=True)


def _slider(slot: str, figure: Movable) -> Component:
    item = {"slot": slot, "name": figure.name}
    counted = figure.whole and not figure.log
    slider = dmc.Slider(
        id={"type": WhatIfIds.SLIDER_TYPE, **item}, min=figure.low if counted else 0, max=figure.high if counted else STEPS,
        value=step_of(figure), step=1 if counted else 0.5, label=None, size=4, thumbSize=14, updatemode="drag",
        thumbLabel=figure.title,
    )  # fmt: skip
    back = html.Button(
        icon("refresh", "s"), id={"type": WhatIfIds.BACK_TYPE, **item}, className="ib what-if-back", type="button",
        title=f"Back to {value_words(figure)}", **{"aria-label": f"{figure.title}: back to {value_words(figure)}"},
    )  # fmt: skip
    head = html.Div(
        [
            html.Span(figure.title, className="sm t2"),
            html.Span(
                [
                    html.Span(value_words(figure), id={"type": WhatIfIds.VALUE_TYPE, **item}, className="sm b num nw"),
                    back,
                ],
                className="row g4",
            ),
        ],
        className="row between what-if-head",
    )
    return html.Div([head, slider], id={"type": WhatIfIds.FIGURE_TYPE, **item}, className="what-if-figure")


# -- the design -------------------------------------------------------------------------------------------------------


def design_content(
    designs: RunDesigns, number: int, figures: Sequence[MovedFigure], why_not: str, estimator: Estimator | None
) -> Component:
    """Return the design as stored and as moved, with what its estimates may be off by."""
    name = design_name(designs, number)
    if why_not:
        return notice(f"{name} cannot be run on this hardware: {why_not}", tone="warn")
    words = html.P(f"{name}: {change_sentence(figures)}", className="sm why-words")
    return html.Div(
        [
            words,
            figures_table(figures, "Stored", "Moved"),
            html.P(basis_words(estimator, _ELSEWHERE), className="xs t3 why-words"),
        ]
    )


def figures_table(figures: Sequence[MovedFigure], before: str, after: str) -> Component:
    """Return the figures before and after with their change; the two words head the columns."""
    certain = any(each.factor is not None for each in figures)
    heads = [Column("Figure"), Column(before, number=True), Column(after, number=True), Column("Change", number=True)]
    heads += [Column("Error band", number=True)] if certain else []
    table = plain_table(heads, [_row(each, certain) for each in figures], tight=True)
    return html.Div(table, className="table-scroll")


def _row(each: MovedFigure, certain: bool) -> list[Component | str]:
    scale = scale_of([each.stored, each.moved], each.quantity.unit)
    stored, moved = each.stored * scale.factor, each.moved * scale.factor
    places = decimals_for([abs(stored), abs(moved)])
    classes = {None: "", True: "good", False: "warn"}[each.better]
    title = {None: "", True: "better", False: "worse"}[each.better]
    unit = html.Span(f" {scale.unit}", className="t3")
    change = html.Span(signed_percent(each.share), className=classes, title=title)
    within = [f"×/÷ {each.factor:.2f}" if each.factor else "–"] if certain else []
    return [
        html.Span([quantity_sign(each.quantity), each.quantity.title, unit]),
        fixed(stored, places),
        fixed(moved, places),
        change,
        *within,
    ]


def basis_words(estimator: Estimator | None, where: str = "") -> str:
    """Return the certainty of the metrics; `where` says where a known error band holds."""
    if estimator is None:
        return ""
    return f"{estimator.number.sentence} {where if estimator.error_factors else ''}".rstrip()


# -- the front --------------------------------------------------------------------------------------------------------


def front_figure(
    designs: RunDesigns,
    numbers: Sequence[int],
    moved: Mapping[str, Sequence[float]] | None,
    selected: tuple[int, Mapping[str, float]] | None,
    factors: Mapping[str, float],
    scheme: Scheme,
) -> dict[str, Any] | None:
    """Return the picture; None where the designs have no two figures that could span it."""
    axes = axes_of(designs)
    if axes is None or not len(numbers):
        return None
    rows = np.asarray(numbers, dtype=np.int64)
    names = [each.name for each in axes]
    stored = {name: designs.columns[name][rows] for name in names}
    now = None if moved is None else {name: np.asarray(moved[name], np.float64) for name in names}
    chosen = None
    if selected is not None and all(np.isfinite(selected[1].get(name, np.nan)) for name in names):
        number, values = selected
        chosen = number, {name: float(designs.columns[name][number]) for name in names}, values
    return moved_front_figure(GhostFront(*axes, list(numbers), stored, now, chosen, factors), scheme)


def front_card(figure: dict[str, Any] | None) -> Component:
    """Return the card of the front before any value is changed."""
    if figure is None:
        return card("The front", notice("The designs of this run have no two figures that could span a picture."))
    graph = dcc.Graph(id=WhatIfIds.FRONT, figure=figure, config=_GRAPH, style={"height": HEIGHT_PX})
    picture = html.Div(
        graph, className="figure", role="img", **{"aria-label": "Stored front and front on changed hardware"}
    )
    key = html.Div(
        [
            html.Span([html.Span(className="what-if-key ghost"), "as stored"], className="row g4 sm t2"),
            html.Span([html.Span(className="what-if-key moved"), "moved"], className="row g4 sm t2"),
            html.Span([html.Span("◆", className="what-if-diamond"), "selected design"], className="row g4 sm t2"),
            html.Span(id=WhatIfIds.FRONT_WORDS, className="sm t3", role="status"),
        ],
        className="row g12 wrap why-words",
    )
    return card("The front", picture, key, flush=True)


# -- kept -------------------------------------------------------------------------------------------------------------


def kept_content(run: Run, kept: Sequence[StoredDocument]) -> Component:
    """Return the message on the stored documents, with a link to a new run."""
    pinned = [(each.slot, f"{each.name}@{each.version}") for each in kept]
    inputs = "".join(f"&{quote(slot)}={quote(name, safe='/@')}" for slot, name in pinned)
    words = [
        notice(f"{'Kept as' if each.created else 'There is already'} {each.title}, version {each.version}.")
        for each in kept
    ]
    ways = [link_button("Run on this hardware", f"/new?from={run.pk}{inputs}", kind="primary", size="small")]
    ways += [
        link_button("Open in the catalogue", f"/catalogue/{each.kind}/{quote(each.name, safe='/')}", size="small")
        for each in kept
    ]
    return html.Div([*words, html.Div(ways, className="row wrap")], className="stack")
