"""The pictures of a comparison as tables: fronts, schedules, grids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.results import Schedule
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import decimals_for, fixed, integer, percent, scale_of, si
from frontend.pages.compare_data import Side, axis_choices, front_side

MOST_ROWS = 40  # of a front


def fronts_table(sides: Sequence[Side], axes: tuple[str, str]) -> Component:
    """The designs on every front over the two axes, by the first of them; of long fronts `MOST_ROWS`, evenly spread."""
    known = {quantity.name: quantity for quantity in axis_choices(sides)}
    x, y = (known[name] for name in axes)
    clouds = [front_side(side, x, y).cloud for side in sides]
    fronts = [_spread(cloud.front) for cloud in clouds]
    columns, texts = [Column("Run"), Column("Design", number=True)], []
    for quantity, name in ((x, "x_values"), (y, "y_values")):
        values = np.concatenate([getattr(cloud, name)[front] for cloud, front in zip(clouds, fronts, strict=True)])
        scale = scale_of(values, quantity.unit)
        columns.append(Column(quantity.title, number=True, unit=scale.unit))
        places = decimals_for((values * scale.factor).tolist())
        texts.append([fixed(float(value) * scale.factor, places) for value in values])
    heads = [
        (side.style.letter, str(number))
        for side, cloud, front in zip(sides, clouds, fronts, strict=True)
        for number in cloud.numbers[front].tolist()
    ]
    rows = [(*head, *values) for head, values in zip(heads, zip(*texts, strict=True), strict=True)]
    sizes = [(side.style.letter, len(cloud.front)) for side, cloud in zip(sides, clouds, strict=True)]
    cut = ", ".join(f"{name} has {integer(size)}" for name, size in sizes if size > MOST_ROWS)
    note = html.P(f"{MOST_ROWS} of each, evenly spread: {cut}.", className="xs t3") if cut else None
    return html.Div([plain_table(columns, rows, tight=True), note])


def _spread(front: np.ndarray) -> np.ndarray:
    if len(front) <= MOST_ROWS:
        return front
    return front[np.unique(np.linspace(0, len(front) - 1, MOST_ROWS).astype(int))]


def schedule_table(schedule: Schedule) -> Component:
    """How busy every lane is, and when every window begins and ends."""
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
