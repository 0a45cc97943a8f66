"""Next to the boards: what was changed, figures before and after, the gap to what is proven, and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.running.inspection import Estimator
from frontend.components.button import button, link_button
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import percent
from frontend.ids.edit import EditIds
from frontend.pages.run.design.card import design_name
from frontend.pages.run.design.own import standing
from frontend.pages.run.what_if.data import change_sentence, moved_figures
from frontend.pages.run.what_if.view import basis_words, figures_table
from frontend.pages.run.why.limiting_factors import proven_of
from webapp.runs.models import Run
from webapp.runs.results.design_variants import DesignEdit
from webapp.runs.results.own_designs import KeptDesign, may_be_kept

HELP = "Arrow keys move it, Enter leads to the list of places, Ctrl+Z undoes."


def said_words(designs: RunDesigns, number: int, edited: DesignEdit, asked: int) -> str:
    """Return the result of the last move, also for screen readers.

    Args:
        designs: designs of the run.
        number: number of the design that was begun with.
        edited: result of the edit.
        asked: number of requested moves.
    """
    if edited.why_not:
        return f"Not possible: it needs {edited.why_not.rstrip('.')}."
    if not asked:
        return f"Drag a piece to another place. {HELP}"
    figures = moved_figures(designs, number, edited.columns, {})
    return f"{edited.told[-1] or 'Moved'}. In all: {change_sentence(figures)}"


def edited_content(
    run: Run,
    designs: RunDesigns,
    number: int,
    edited: DesignEdit,
    bounds: Mapping[str, float],
    estimator: Estimator | None,
    editable: bool,
) -> Component:
    """Return everything about the design as it is after the moves."""
    factors = {} if estimator is None else estimator.error_factors
    figures = moved_figures(designs, number, edited.columns, factors)
    broken = [q for q in designs.quantities if q.role == "constraint" and not edited.columns.get(q.name, 0.0) >= 0]
    parts: list[Component | None] = [
        html.Div(standing(designs, edited.columns, broken), className="row wrap sm why-words"),
        figures_table(figures, design_name(designs, number), "Edited"),
        _proven(bounds, designs, number, edited.columns),
        _told(edited.told),
        html.P(basis_words(estimator), className="xs t3 why-words"),
        _actions(run, number, edited, editable),
    ]
    return html.Div([part for part in parts if part is not None])


def _proven(
    bounds: Mapping[str, float], designs: RunDesigns, number: int, values: Mapping[str, float]
) -> Component | None:
    """Return the sentence on the gap to the bound before and after the move."""
    known = {column: bound for column, bound in bounds.items() if np.isfinite(values.get(column, np.nan))}
    before = {each.what: each for each in proven_of(known, designs, designs.values_of(number))}
    rows: list[list[Component | str]] = [
        [each.what, each.most, percent(before[each.what].room, 1), percent(each.room, 1)]
        for each in proven_of(known, designs, values)
        if each.what in before
    ]
    if not rows:
        return None
    heads = [Column(""), Column("Bound", number=True), Column("Gap before", number=True), Column("Gap", number=True)]
    return html.Div(plain_table(heads, rows, tight=True), className="table-scroll")


def _told(told: Sequence[str]) -> Component | None:
    if not told:
        return None
    return html.Div(
        [html.H3("Moves", className="sm b"), html.Ol([html.Li(words or "moved") for words in told], className="sm")],
        className="why-words edit-moves",
    )


def _actions(run: Run, number: int, edited: DesignEdit, editable: bool) -> Component | None:
    if not editable:
        return None
    able = may_be_kept(run)
    words = "" if able else "Designs can be kept in a run once it is done."
    keep = button(
        "Keep as my design", id=EditIds.KEEP, kind="primary", size="small", disabled=not (able and edited.taken),
        title="Store it among the designs of this run, as made by hand",
    )  # fmt: skip
    ways: list[Component] = [keep] if edited.taken or not edited.params else [keep, explore_link(run, number)]
    note = html.P(words, className="xs t3") if words else None
    kept = html.Div(id=EditIds.KEPT, **{"aria-live": "polite"})
    return html.Div([html.Div(ways, className="row wrap"), note, kept], className="stack why-words")


def explore_link(run: Run, number: int) -> Component:
    """Return the way to a new run that takes up a design of the run."""
    return link_button("New run from this design", f"/new?from={run.pk}&with={number}", size="small")


def kept_content(run: Run, kept: KeptDesign) -> Component:
    """Return the message on the stored design, with a link to a new run if the method accepts own designs."""
    words = (
        f"Kept as {kept.label}, design {kept.number} of this run."
        if kept.created
        else f"This run has it already: design {kept.number}{f', {kept.label}' if kept.label else ''}."
    )
    ways = [link_button("Show it", f"/runs/{run.pk}?design={kept.number}&tab=overview", size="small")]
    ways += [explore_link(run, kept.number)] if kept.may_begin else []
    return html.Div([notice(words), html.Div(ways, className="row wrap")], className="stack")
