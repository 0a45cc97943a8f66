"""Measured times of networks on a board over predicted ones; the diagonal is a perfect prediction, the band holds for 90 %."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import plotly.graph_objects as go

from engines.survey.measurements.boards import BoardRow
from engines.survey.measurements.fits import band_of
from frontend.figures.drawing import Entry, figure
from frontend.figures.front.front import axis_layout
from frontend.figures.lines import axis_name
from frontend.figures.numbers import many, percent, si, significant
from frontend.theme import RUNS, TOKENS, Scheme, mix

HEIGHT_PX = 400
NEAR_SHARE = 0.25
_MARGIN = {"l": 60, "r": 16, "t": 62, "b": 46}
_WIDER = 1.3
_MILLI = 1e3


def shown_band(rows: Sequence[BoardRow]) -> tuple[float, str]:
    """Return the band of rows with predictions, and what it holds for; of several calibrations the one of the rows themselves."""
    own = {(row.band, row.band_of) for row in rows if row.band}
    if len(own) == 1:
        band, whose = next(iter(own))
        return float(band or 1), f"90 % of networks left out, by rows of {whose}"
    return band_of(row.ratio for row in rows if row.ratio), "90 % of the values shown"


def measured_figure(public: Sequence[BoardRow], own: Sequence[BoardRow], scheme: Scheme) -> go.Figure:
    """Return both axes logarithmic in milliseconds.

    Args:
        public: published rows with predictions.
        own: imported and shared ones; at least one row of both.
        scheme: light or dark.
    """
    rows = [*public, *own]
    band, _ = shown_band(public or own)
    values = [value * _MILLI for row in rows for value in (row.measured_s, row.predicted_s) if value]
    span = (min(values) / _WIDER, max(values) * _WIDER)
    tokens = TOKENS[scheme]
    ends = list(span)
    area: Entry = {
        "type": "scatter", "mode": "lines", "x": [*ends, *ends[::-1]],
        "y": [ends[0] * band, ends[1] * band, ends[1] / band, ends[0] / band],
        "fill": "toself", "fillcolor": mix(tokens.surface, tokens.text3, 0.14), "line": {"width": 0}, "hoverinfo": "skip",
        "name": f"band ×/÷ {significant(band)}", "showlegend": True,
    }  # fmt: skip
    line: Entry = {
        "type": "scatter", "mode": "lines", "x": ends, "y": ends, "hoverinfo": "skip", "showlegend": False,
        "line": {"color": tokens.text3, "width": 1, "dash": "dot"},
    }  # fmt: skip
    series = ((public, "published"), (own, "imported or shared"))
    marks = [_marks(each, name, place, scheme) for place, (each, name) in enumerate(series) if each]
    layout = {
        "height": HEIGHT_PX,
        "margin": _MARGIN,
        "showlegend": True,
        "legend": {"y": 1.14},
        "xaxis": {**axis_layout(span, log=True), "title": {"text": "Predicted (ms per inference)"}},
        "yaxis": axis_layout(span, log=True),
        "annotations": [axis_name("Measured", "ms per inference", scheme)],
        "hovermode": "closest",
    }
    return figure(scheme, [area, line, *marks], layout)


def measured_sentences(rows: Sequence[BoardRow]) -> list[str]:
    """Return the errors of rows with predictions in words, and the network that is furthest off."""
    errors = [abs(row.error) for row in rows if row.error is not None]
    near = sum(error <= NEAR_SHARE for error in errors) / len(errors)
    worst = max(rows, key=lambda row: max(row.ratio or 1, 1 / (row.ratio or 1)))
    ratio, (band, words) = worst.ratio or 1, shown_band(rows)
    off = f"{ratio:.2g} × slower" if ratio > 1 else f"{1 / ratio:.2g} × faster"
    furthest = f"The furthest off is {worst.model} ({worst.runtime}, {worst.precision}): {off} than predicted, "
    return [
        f"{many(len(rows), 'value')}: the median error is {percent(median(errors))}, and {percent(near)} of them are within 25 %.",
        f"The band is a factor of {significant(band)} up or down and holds for {words}.",
        f"{furthest}{si(worst.measured_s, 's')} instead of {si(worst.predicted_s, 's')}.",
    ]


def _marks(rows: Sequence[BoardRow], name: str, place: int, scheme: Scheme) -> Entry:
    style = RUNS[place]
    colour = TOKENS[scheme].text2 if name == "published" else style.colour[scheme]
    facts = [
        [
            row.model, " ".join(filter(None, (row.measured_on, row.unit))), f"{row.runtime}, {row.precision}",
            "result every" if row.quantity == "throughput" else "latency", row.note[:90], row.date, row.source, row.licence,
            row.batch,
        ]
        for row in rows
    ]  # fmt: skip
    return {
        "type": "scatter", "mode": "markers", "name": name,
        "x": [(row.predicted_s or 0) * _MILLI for row in rows], "y": [(row.measured_s or 0) * _MILLI for row in rows],
        "customdata": facts,
        "marker": {"symbol": f"{style.symbol}-open", "size": 7, "color": colour, "line": {"width": 1.3}},
        "hovertemplate": "<b>%{customdata[0]}</b>, %{customdata[1]}<br>%{customdata[2]}, batch %{customdata[8]}"
        "<br>measured: %{customdata[3]} %{y:.4~g} ms<br>predicted %{x:.4~g} ms<br>%{customdata[4]}<br>%{customdata[5]}"
        "<br>%{customdata[6]} (%{customdata[7]})<extra></extra>",
    }  # fmt: skip
