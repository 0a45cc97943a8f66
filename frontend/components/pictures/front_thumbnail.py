"""Small pictures of a Pareto front: the front in colour, a sample of the other designs in grey."""

from __future__ import annotations

import numpy as np
from dash import html

from engines.contract.arrays import FloatArray, IntArray
from frontend.designs.run_designs import RunDesigns
from frontend.figures.numbers import in_sentence

_WIDTH, _HEIGHT, _MARGIN = 300, 100, 7
_MOST_POINTS = 60


def front_thumbnail(designs: RunDesigns) -> html.Div:
    """Return the picture over the first two objectives, named below it; without two, over the first two varying metrics."""
    axes = designs.objectives if len(designs.objectives) > 1 else designs.shown
    axes = axes[:2] if len(axes) > 1 else (designs.shown[0], designs.shown[0])
    others = np.setdiff1d(np.flatnonzero(designs.searched & designs.feasible), designs.front)
    rows = [(_sample(others), ""), (_sample(designs.front), "f")]
    points = np.column_stack([designs.columns[each.name] for each in axes])
    x, y = (_placed(points[:, at], np.concatenate([numbers for numbers, _ in rows])) for at in (0, 1))
    marks = "".join(
        f'<circle class="{kind}" cx="{_MARGIN + x[number] * (_WIDTH - 2 * _MARGIN):.0f}" '
        f'cy="{_HEIGHT - _MARGIN - y[number] * (_HEIGHT - 2 * _MARGIN):.0f}" r="{2.6 if kind else 1.6}"/>'
        for numbers, kind in rows
        for number in numbers
        if np.isfinite(x[number]) and np.isfinite(y[number])
    )
    across, up = in_sentence(axes[0].title), in_sentence(axes[1].title)
    words = f"Pareto front of {across} and {up}"
    svg = f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}">{marks}</svg>'
    picture = html.Div(className="front-thumbnail", role="img", **{"aria-label": words, "data-html": svg})
    return html.Div([picture, html.Span(f"Across: {across}. Up: {up}.", className="xs t3")])


def _sample(numbers: IntArray) -> IntArray:
    if len(numbers) <= _MOST_POINTS:
        return numbers
    return numbers[np.linspace(0, len(numbers) - 1, _MOST_POINTS).round().astype(np.int64)]


def _placed(values: FloatArray, numbers: IntArray) -> FloatArray:
    """Return the values from 0 to 1 between the least and the greatest of `numbers`; on a logarithmic axis over a factor of 50."""
    shown = values[numbers][np.isfinite(values[numbers])]
    if not len(shown):
        return values
    if shown.min() > 0 and shown.max() > 50 * shown.min():
        values, shown = np.log(np.maximum(values, shown.min())), np.log(shown)
    span = np.ptp(shown)
    return (values - shown.min()) / span if span else np.full_like(values, 0.5)
