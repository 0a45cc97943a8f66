"""The selected design: its figures, windows, chiplet grid and schedule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import html
from dash.development.base_component import Component

from engines.contract.results import ChipletGrid, Schedule
from engines.exchange.schedule_differences import CostChange
from frontend.components.card import card_title
from frontend.components.certainty import quantity_sign
from frontend.components.pictures.legend import hardware_legend, load_legend, model_legend
from frontend.components.pictures.thumbnail import window_picker
from frontend.components.states import notice
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import other_version
from frontend.figures.chiplets.chiplet_grid import grid_drawing, largest_load
from frontend.figures.drawing import plain_figure
from frontend.figures.numbers import (
    NO_BREAK,
    decimals_for,
    fixed,
    in_sentence,
    percent,
    ratio,
    scale_of,
    si,
    split_si,
)
from frontend.figures.schedule.schedule import By, schedule_drawing
from frontend.ids.run import RunIds
from frontend.theme import Scheme
from webapp.runs.models import Run

DESIGN_CLASS = "card run-design"
_HEAD_FIGURES = 3


def design_name(designs: RunDesigns, number: int) -> str:
    """Return the label of a baseline or a user's design, else its number."""
    named = number < len(designs) and designs.origin[number] != "search"
    return (designs.label_of(number) if named else "") or f"Design {number:04d}"


def design_note(designs: RunDesigns, number: int, follow: bool, live: bool) -> str:
    """Return why this design is shown, and its role in the search."""
    said = str(designs.label[number]) if number < len(designs) and designs.origin[number] == "search" else ""
    return f"{_why_shown(designs, number, follow, live)}, {said}".removesuffix(", ")


def _why_shown(designs: RunDesigns, number: int, follow: bool, live: bool) -> str:
    if follow:
        knee = number == designs.knee and number != designs.best(designs.primary)
        best = "knee point" if knee else f"best {in_sentence(designs.quantity(designs.primary).title)}"
        return f"follows the {best} so far" if live else best
    if number in designs.front:
        return "on the front"
    if number >= len(designs):
        return "dominated"
    place = {"baseline": "baseline", "user": "own design"}.get(str(designs.origin[number]), "")
    if designs.feasible[number]:
        return place or "dominated"
    return f"{place}, violates a limit".removeprefix(", ")


def design_head(designs: RunDesigns, number: int, follow: bool, live: bool) -> list[Component]:
    """Name, why it is shown, and its first figures with four digits."""
    names = [q.name for q in designs.objectives]
    if designs.primary and designs.primary not in names:
        names.append(designs.primary)
    figures = []
    for name in names[:_HEAD_FIGURES]:
        quantity = designs.quantity(name, number)
        value, unit = split_si(float(designs.columns[name][number]), quantity.unit, 4)
        full = f"{quantity.title}: {float(designs.columns[name][number])!r} {quantity.unit}".strip()
        parts = [quantity_sign(quantity), html.Span(value, className="b num"), NO_BREAK + unit]
        figures.append(html.Span(parts, className="sm nw", title=full))
    note = design_note(designs, number, follow, live)
    return [
        card_title(design_name(designs, number)),
        html.Span(note, className="sm t3 el", title=note),
        html.Span(className="sp"),
        *figures,
    ]


def windows(grid: ChipletGrid, window: int) -> Component:
    """Return the thumbnails by which a window is chosen."""
    return window_picker(grid, window, RunIds.WINDOW_TYPE)


def grid_picture(grid: ChipletGrid, window: int, scheme: Scheme, size: tuple[int, int]) -> dict[str, Any]:
    """Return the grid in one window; loads on one scale over all windows would hide the quiet ones, so each has its own."""
    return plain_figure(scheme, *grid_drawing(grid, window, scheme, width_px=size[0], height_px=size[1]))


def grid_legend(grid: ChipletGrid, window: int) -> list[Component]:
    """Return dataflows, and the range of link loads."""
    kinds = [chiplet.dataflow for chiplet in grid.chiplets]
    return [hardware_legend(kinds), html.Span(className="sp"), load_legend(largest_load(grid, window))]


def schedule_picture(
    schedule: Schedule, window: int | None, scheme: Scheme, size: tuple[int, int], by: By
) -> dict[str, Any]:
    """Return the schedule with the selected window tinted; `by` is "chiplets" or "models"."""
    drawing = schedule_drawing(schedule, scheme, selected_window=window, width_px=size[0], height_px=size[1], by=by)
    return plain_figure(scheme, *drawing)


def placement_table(grid: ChipletGrid, window: int) -> Component:
    """Return the grid as a table."""
    heads = ("Chiplet", "Dataflow", "Model", "Stage", "Layers", "Busy")
    kinds = {chiplet.index: chiplet.dataflow for chiplet in grid.chiplets}
    rows: list[Sequence[str]] = [
        (
            f"C{p.chiplet}", kinds.get(p.chiplet, ""), p.model, f"{p.stage + 1}/{p.stages}",
            f"{p.first_layer + 1}–{p.last_layer + 1}", percent(p.busy_fraction),
        )
        for p in sorted(grid.windows[window].placements, key=lambda p: p.chiplet)
    ]  # fmt: skip
    return html.Table(
        [
            html.Thead(
                html.Tr([html.Th(head, className="r" if head in ("Stage", "Layers", "Busy") else "") for head in heads])
            ),
            html.Tbody(
                [
                    html.Tr([html.Td(cell, className="r num" if i > 2 else "") for i, cell in enumerate(row)])
                    for row in rows
                ]
            ),
        ],
        className="t",
    )


def model_names(schedule: Schedule) -> Component:
    """Return the legend of the models."""
    return model_legend(schedule.models)


def refused(run: Run, error: Exception) -> Component:
    """Return why a design has no pictures: most often since another version of its engine is installed, and what to do then."""
    words = other_version(run)
    if not words:
        return notice(str(error), tone="warn")
    again = html.A("Start from this", href=f"/new?from={run.pk}")
    return notice(f"{words} ", "Its metrics are unchanged. ", again, " for pictures of designs.", tone="warn")


def cost_row(cost: CostChange) -> list[Component | str]:
    """Return the quantity and unit, both values, what the second adds and the ratio; the better value is bold."""
    scale = scale_of([cost.before, cost.after], cost.quantity.unit)
    before, after = cost.before * scale.factor, cost.after * scale.factor
    places = decimals_for([abs(before), abs(after)])
    shown: list[Component | str] = [fixed(before, places), fixed(after, places)]
    if cost.better is not None:
        better = 1 if cost.better else 0
        shown[better] = html.B(shown[better], title="better")
    unit = html.Span(f" {scale.unit}", className="t3")
    sign = "+" if after > before else "−" if after < before else ""
    apart = f"{sign}{si(abs(cost.after - cost.before), cost.quantity.unit)}" if sign else "–"
    return [html.Span([cost.quantity.title, unit]), *shown, apart, ratio(cost.ratio)]
