"""How far the rows of a calibration are off: one line per row, fitted, with its network left out, predicted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from frontend.figures.drawing import figure, text_width
from frontend.theme import TOKENS, Scheme
from hardware.calibration.model import CalibrationRow, SocCalibration

_ROW_PX = 18.0
_LONGEST_NAME_PX = 280.0
_GOAL_PERCENT = 10.0
_NARROWEST_PERCENT = 15.0


def residual_figure(calibration: SocCalibration, scheme: Scheme) -> go.Figure:
    """Return the deviations in per cent, the rows from the top in their order; what lies within 10 % is on a band.

    A disc is a fitted row, a ring the same row estimated without its network, a diamond a predicted row.
    """
    tokens, rows = TOKENS[scheme], calibration.rows
    fitted = [(place, row) for place, row in enumerate(rows) if row.role == "fitted"]
    predicted = [(place, row) for place, row in enumerate(rows) if row.role == "predicted"]
    left_out = [(place, row) for place, row in fitted if row.left_out is not None]
    traces = [
        _links(left_out, tokens.dot),
        _marks(left_out, "circle-open", tokens.text2, "network left out", left_out=True),
        _marks(fitted, "circle", tokens.accent, "fitted"),
        _marks(predicted, "diamond-open", tokens.text, "predicted"),
    ]
    widest = max([_NARROWEST_PERCENT, *[abs(percent) for row in rows for percent in _percents(row)]]) * 1.06
    longest = min(_LONGEST_NAME_PX, max([text_width(row.name, 11) for row in rows], default=0.0))
    band = {"type": "rect", "xref": "x", "yref": "paper", "x0": -_GOAL_PERCENT, "x1": _GOAL_PERCENT, "y0": 0, "y1": 1}
    layout = {
        "height": 52 + _ROW_PX * max(1, len(rows)),
        "margin": {"l": int(longest) + 16, "r": 16, "t": 8, "b": 40},
        "xaxis": {"title": {"text": "Estimate against measurement (%)"}, "range": [-widest, widest], "zeroline": True,
                  "zerolinecolor": tokens.text3},
        "yaxis": {"tickvals": list(range(len(rows))), "ticktext": [row.name for row in rows], "autorange": False,
                  "range": [len(rows) - 0.4, -0.6], "ticks": "", "showline": False, "tickfont": {"size": 11}},
        "shapes": [band | {"fillcolor": tokens.sunken, "line": {"width": 0}, "layer": "below"}],
        "hovermode": "closest",
    }  # fmt: skip
    return figure(scheme, traces, layout)


def residual_sentence(calibration: SocCalibration) -> str:
    """Return the picture in a sentence, for those who cannot see it."""
    errors = calibration.errors()
    if errors is None:
        return "No row was fitted."
    words = f"{errors.rows} fitted rows, median {errors.median:.1%}, worst {errors.worst:.1%} ({errors.worst_row})"
    left_out, predicted = calibration.errors(left_out=True), calibration.errors("predicted")
    words += f"; network left out: median {left_out.median:.1%}, worst {left_out.worst:.1%}" if left_out else ""
    return words + (f"; {predicted.rows} predicted rows, median {predicted.median:.1%}." if predicted else ".")


def _percents(row: CalibrationRow) -> list[float]:
    errors = (row.error, row.left_out_error)
    return [100 * error for error in errors if error is not None]


def _marks(
    rows: Sequence[tuple[int, CalibrationRow]], symbol: str, colour: str, words: str, *, left_out: bool = False
) -> dict[str, Any]:
    values = [100 * float((row.left_out_error if left_out else row.error) or 0.0) for _, row in rows]
    units = ["" if row.in_unit == "ratio" else f"\u00a0{row.in_unit}" for _, row in rows]
    figures = [
        [row.name, f"{row.measured:.4g}{unit}", f"{(row.left_out if left_out else row.estimated) or 0:.4g}{unit}"]
        for (_, row), unit in zip(rows, units, strict=True)
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": words,
        "x": values,
        "y": [place for place, _ in rows],
        "customdata": figures,
        "marker": {"symbol": symbol, "size": 8, "color": colour, "line": {"width": 1.6, "color": colour}},
        "hovertemplate": (
            f"<b>%{{customdata[0]}}</b><br>measured %{{customdata[1]}}<br>{words} %{{customdata[2]}}"
            "<br>%{x:+.1f}\u00a0%<extra></extra>"
        ),
    }


def _links(rows: Sequence[tuple[int, CalibrationRow]], colour: str) -> dict[str, Any]:
    """Return the hair lines from a row's fitted mark to the one without its network."""
    x: list[float | None] = []
    y: list[float | None] = []
    for place, row in rows:
        x += [100 * row.error, 100 * float(row.left_out_error or 0.0), None]
        y += [place, place, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"width": 1, "color": colour},
        "hoverinfo": "skip",
    }
