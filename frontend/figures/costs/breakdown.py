"""A breakdown: stacked bars that lie down, so that their names can be read; many of them stand, as a profile."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import Breakdown
from frontend.figures.costs.profile import MOST_LYING_BARS, PROFILE_PX, key_of_parts, part_fills, profile_figure
from frontend.figures.drawing import Entry, figure, text_width
from frontend.figures.numbers import scale_of, si
from frontend.theme import TOKENS, Scheme

_LONGEST_NAME_PX = 180.0
_ROW_PX = 30.0
_AXIS_PX = 42.0
_TOTAL_PX = 64.0  # right of the longest bar


def breakdown_figure(
    breakdown: Breakdown,
    scheme: Scheme,
    *,
    height_px: float | None = None,
    width_px: float = 560,
    named: bool = True,
) -> go.Figure:
    """Return the breakdown. A key names the parts, the total stands next to each bar.

    Args:
        breakdown: its bars in their order.
        scheme: light or dark.
        height_px: height; what its bars ask for where left out.
        width_px: width that it will have, on which the lines of the key depend.
        named: whether the axis says what it shows; else the unit alone, where that stands above the picture.
    """
    if len(breakdown.bars) > MOST_LYING_BARS:
        return profile_figure(breakdown, scheme, height_px=height_px or PROFILE_PX, width_px=width_px, named=named)
    values = np.asarray(breakdown.values, np.float64)
    scale = scale_of(values.sum(axis=1) if values.size else [0.0], breakdown.unit)
    rows = list(range(len(breakdown.bars)))
    left = min(_LONGEST_NAME_PX, max([text_width(t, 11) for t in breakdown.bars], default=20.0)) + 14
    key = key_of_parts(breakdown.parts, scheme, width_px - left - 8)
    top = 10 + key.height_px
    title = (f"{breakdown.title} ({scale.unit})" if scale.unit else breakdown.title) if named else scale.unit
    layout = {
        "height": height_px or top + _AXIS_PX + _ROW_PX * max(1, len(rows)),
        "margin": {"l": left, "r": _TOTAL_PX, "t": top, "b": _AXIS_PX},
        "barmode": "stack",
        "bargap": 0.35,
        "xaxis": {"title": {"text": title}, "rangemode": "tozero"},
        "yaxis": {
            "tickvals": rows,
            "ticktext": list(breakdown.bars),
            "autorange": "reversed",
            "showgrid": False,
            "ticks": "",
        },
        "annotations": [*_totals(values.sum(axis=1), scale.factor, breakdown.unit, TOKENS[scheme].text), *key.notes],
        "shapes": key.shapes,
    }
    return figure(scheme, _bars(breakdown, values * scale.factor, scale.unit, scheme), layout)


def _bars(breakdown: Breakdown, shown: Any, unit: str, scheme: Scheme) -> list[Entry]:
    edge = {"color": TOKENS[scheme].text3, "width": 1}
    fills = part_fills(len(breakdown.parts), scheme)
    return [
        {
            "type": "bar",
            "orientation": "h",
            "y": list(range(len(breakdown.bars))),
            "x": shown[:, position],
            "name": part,
            "marker": {"color": fills[position], "line": edge},
            "hovertemplate": f"<b>{part}</b><br>%{{x:.4~r}}\u00a0{unit}<extra></extra>",
        }
        for position, part in enumerate(breakdown.parts)
    ]


def _totals(totals: Any, factor: float, unit: str, colour: str) -> list[Entry]:
    place: Entry = {"xanchor": "left", "xshift": 5, "yanchor": "middle", "font": {"size": 11, "color": colour}}
    return [place | {"x": total * factor, "y": row, "text": si(total, unit)} for row, total in enumerate(totals)]
