"""The pictures of a comparison as tables: fronts, schedules, grids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.contract.results import Schedule
from frontend.components.table import Column, plain_table
from frontend.figures.front.front_parts import Cloud
from frontend.figures.numbers import decimals_for, fixed, integer, percent, scale_of, si
from frontend.pages.compare.data import Side, axis_choices, drawn, front_side

MOST_ROWS = 40  # of a front


def fronts_table(sides: Sequence[Side], axes: tuple[str, str]) -> Component:
    """Return the points of every front over the two axes, by the first of them; of long fronts `MOST_ROWS`, evenly spread.

    Of designs that stand at one point the first is named, with how many more there are.
    """
    known = {quantity.name: quantity for quantity in axis_choices(sides)}
    x, y = (known[name] for name in axes)
    sides = drawn(sides, axes)
    clouds = [front_side(side, x, y).cloud for side in sides]
    points = [_points(cloud) for cloud in clouds]
    fronts = [_spread(first) for first, _ in points]
    columns, texts = [Column("Run"), Column("Design", number=True)], []
    for quantity, name in ((x, "x_values"), (y, "y_values")):
        values = np.concatenate([getattr(cloud, name)[front] for cloud, front in zip(clouds, fronts, strict=True)])
        scale = scale_of(values, quantity.unit)
        columns.append(Column(quantity.title, number=True, unit=scale.unit))
        places = decimals_for((values * scale.factor).tolist())
        texts.append([fixed(float(value) * scale.factor, places) for value in values])
    heads = [
        (side.style.letter, _alike(int(cloud.numbers[at]), times[at]))
        for side, cloud, front, (_, times) in zip(sides, clouds, fronts, points, strict=True)
        for at in front.tolist()
    ]
    rows = [(*head, *values) for head, values in zip(heads, zip(*texts, strict=True), strict=True)]
    sizes = [(side.style.letter, len(first)) for side, (first, _) in zip(sides, points, strict=True)]
    cut = ", ".join(f"{name} has {integer(size)}" for name, size in sizes if size > MOST_ROWS)
    note = html.P(f"{MOST_ROWS} of each, evenly spread: {cut}.", className="xs t3") if cut else None
    return html.Div([plain_table(columns, rows, tight=True), note])


def _points(cloud: Cloud) -> tuple[np.ndarray, dict[int, int]]:
    """Return the rows of the first design at every point of a front, in the front's order, and how many designs stand there."""
    places = np.column_stack([cloud.x_values[cloud.front], cloud.y_values[cloud.front]])
    _, first, times = np.unique(places, axis=0, return_index=True, return_counts=True)
    order = np.argsort(first)
    rows = cloud.front[first[order]]
    return rows, dict(zip(rows.tolist(), times[order].tolist(), strict=True))


def _alike(number: int, times: int) -> str:
    return str(number) if times == 1 else f"{number} and {integer(times - 1)} more"


def _spread(front: np.ndarray) -> np.ndarray:
    if len(front) <= MOST_ROWS:
        return front
    return front[np.unique(np.linspace(0, len(front) - 1, MOST_ROWS).astype(int))]


def schedule_table(schedule: Schedule) -> Component:
    """Return the tables of the utilisation of every row and of the start and end of every time window."""
    lanes = plain_table(
        [Column("Lane"), Column("Kind"), Column("Busy", number=True)],
        [(lane.title, lane.kind, percent(lane.busy_fraction)) for lane in schedule.lanes],
        tight=True,
    )
    windows = plain_table(
        [Column("Window"), Column("From", number=True), Column("To", number=True)],
        [(f"W{at + 1}", si(w.start_s, "s", 4), si(w.end_s, "s", 4)) for at, w in enumerate(schedule.windows)],
        tight=True,
    )
    return html.Div([lanes, windows if schedule.windows else None], className="row top g16")
