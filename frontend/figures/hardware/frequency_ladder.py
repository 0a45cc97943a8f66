"""Clocks that the units of a system on a chip can be set to, one line each; those of a power mode stand out."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from frontend.figures.drawing import figure
from frontend.theme import TOKENS, Scheme
from hardware.soc.model import Soc

_ROW_PX = 24.0
_MEMORY = "memory"


def frequency_ladder(soc: Soc, mode: str | None, scheme: Scheme) -> go.Figure:
    """Return one row per unit with clocks, the memory last; without a mode all steps are those that can be set.

    Raises:
        KeyError: the device has no such mode.
    """
    tokens = TOKENS[scheme]
    names = [name for name, unit in soc.units.items() if unit.known_clocks_hz]
    tables = {name: soc.units[name].frequencies_hz for name in names}
    allowed = {name: set() if _is_off(soc, name, mode) else set(soc.steps_hz(name, mode)) for name in names}
    if soc.memory and soc.memory.known_clocks_hz:
        highest = soc.power_modes[mode].memory_highest_frequency_hz if mode else None
        tables[_MEMORY] = soc.memory.frequencies_hz
        allowed[_MEMORY] = {step for step in soc.memory.frequencies_hz if highest is None or step <= highest}
    traces: list[dict[str, Any]] = []
    rows = list(tables)
    for kept, colour, width in ((False, tokens.dot, 1.2), (True, tokens.text, 2.2)):
        points = [
            (step / 1e6, row)
            for row, name in enumerate(rows)
            for step in tables[name]
            if (step in allowed[name]) is kept
        ]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "can be set" if kept else "not in this mode",
                "x": [x for x, _ in points],
                "y": [y for _, y in points],
                "marker": {"symbol": "line-ns", "size": 11, "line": {"color": colour, "width": width}},
                "hovertemplate": "%{x:,.4~f}\u00a0MHz<extra></extra>",
            }
        )
    counts = [_count_words(len(allowed[name]), len(tables[name]), mode) for name in rows]
    notes = [
        {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 8, "y": row, "yanchor": "middle", "text": count,
         "font": {"size": 11, "color": tokens.text2}}
        for row, count in enumerate(counts)
    ]  # fmt: skip
    layout = {
        "height": 44 + _ROW_PX * len(rows),
        "margin": {"l": 70, "r": 84, "t": 6, "b": 34},
        "xaxis": {"title": {"text": "MHz"}, "rangemode": "tozero"},
        "yaxis": {"tickvals": list(range(len(rows))), "ticktext": rows, "autorange": False,
                  "range": [len(rows) - 0.5, -0.5], "ticks": "", "showline": False},
        "annotations": notes,
    }  # fmt: skip
    return figure(scheme, traces, layout)


def _is_off(soc: Soc, unit: str, mode: str | None) -> bool:
    limit = soc.power_modes[mode].units.get(unit) if mode else None
    return limit is not None and limit.active_cores == 0


def _count_words(allowed: int, steps: int, mode: str | None) -> str:
    if mode is None:
        return f"{steps} steps" if steps > 1 else "1 step"
    return f"{allowed} of {steps} steps" if allowed else "off"
