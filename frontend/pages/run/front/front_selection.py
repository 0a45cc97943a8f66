"""From a run's designs to its front over three and more quantities, and the small change that a selection makes there."""

from __future__ import annotations

from typing import Any

import numpy as np
from dash import Patch

from frontend.designs.run_designs import RunDesigns
from frontend.figures.drawing import plain_figure
from frontend.figures.front.front_views import Drawing, Many, matrix_drawing, parallel_drawing, space_drawing
from frontend.pages.run.front.choices import shown_names
from frontend.pages.run.front.picture import FrontRequest, shown_numbers

# A matrix draws every design in every cell, parallel axes draw lines: fewer stay readable and quick.
MOST_IN_MANY = 5_000


def many_of(designs: RunDesigns, request: FrontRequest) -> Many:
    """Return the designs over the metrics of the view; the selected design is always included."""
    chosen, kept = request.choices, request.kept(designs)
    numbers = shown_numbers(designs, kept, MOST_IN_MANY)
    if request.selected is not None and request.selected not in numbers:
        numbers = np.append(numbers, request.selected)
    kinds = np.full(len(numbers), "dominated", dtype="<U10")
    kinds[np.isin(numbers, designs.front)] = "front"
    kinds[~designs.feasible[numbers]] = "infeasible"
    if kept is not None:
        kinds[~kept[numbers]] = "excluded"
    kinds[designs.is_baseline[numbers]] = "baseline"
    hidden = {"baselines": "baseline", "dominated": "dominated", "infeasible": "infeasible"}
    gone = np.isin(kinds, [hidden.get(name, "") for name in chosen.hidden])
    if request.choices.view == "parallel" or "dominated" in chosen.hidden:
        gone |= kinds == "excluded"  # Lines that are out of play would bury the others.
    names = list(shown_names(chosen, designs))
    values = np.column_stack([designs.columns[name][numbers] for name in names])
    gone |= ~np.isfinite(values).all(axis=1)
    stay = np.flatnonzero(~gone | (numbers == request.selected))
    colour = None
    if chosen.colour in designs.columns and np.isfinite(designs.columns[chosen.colour]).any():
        colour = (designs.quantity(chosen.colour), designs.columns[chosen.colour][numbers[stay]])
    return Many(
        tuple(designs.quantity(name) for name in names),
        values[stay],
        numbers[stay],
        kinds[stay],
        [str(designs.label[number]) for number in numbers[stay]],
        colour,
    )


def many_drawing(designs: RunDesigns, request: FrontRequest) -> Drawing:
    """Return the traces and layout of the request's view."""
    many, chosen = many_of(designs, request), request.choices
    if chosen.view == "3d":
        return space_drawing(many, request.scheme, request.selected, request.height_px, chosen.log, request.revision)
    if chosen.view == "matrix":
        return matrix_drawing(
            many, request.scheme, request.selected, (request.width_px, request.height_px), request.revision
        )
    size = (request.width_px, request.height_px)
    return parallel_drawing(many, request.scheme, request.selected, size, request.revision)


def drawn_many(designs: RunDesigns, request: FrontRequest) -> dict[str, Any]:
    """Return the picture as plain mappings."""
    return plain_figure(request.scheme, *many_drawing(designs, request))


def many_patch(designs: RunDesigns, request: FrontRequest, traces: int) -> Patch:
    """Return the patch for another selection: the last of `traces` traces, which contains only the selected design."""
    drawn = plain_figure(request.scheme, *many_drawing(designs, request))["data"]
    patch = Patch()
    patch["data"][traces - 1] = drawn[-1]
    return patch
