"""Measured and predicted speeds of language models, one mark per measurement; the diagonal is a perfect prediction."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from engines.survey.language.validation import ValidationRow
from frontend.figures.drawing import Entry, figure
from frontend.figures.front.front import axis_layout
from frontend.figures.lines import axis_name
from frontend.figures.numbers import significant
from frontend.theme import RUNS, TOKENS, Scheme

HEIGHT_PX = 340
_MARGIN = {"l": 56, "r": 16, "t": 62, "b": 44}
_WIDER = 1.15
_NAMES = {"prefill": ("time to first token", "s"), "decode": ("speed of decode", "tokens/s")}


def drawn_rows(rows: Sequence[ValidationRow], stage: str) -> list[ValidationRow]:
    """Return the rows of a stage that have a prediction."""
    return [each for each in rows if each.row.stage == stage and each.predicted_value is not None]


def prediction_figure(rows: Sequence[ValidationRow], stage: str, scheme: Scheme) -> go.Figure:
    """Return both axes logarithmic, the boards as marks of their own.

    Args:
        rows: one or more rows from `drawn_rows`.
        stage: prefill or decode.
        scheme: light or dark.
    """
    name, unit = _NAMES[stage]
    values = [value for each in rows for value in (each.row.value, each.predicted_value or each.row.value)]
    span = (min(values) / _WIDER, max(values) * _WIDER)
    line: Entry = {
        "type": "scatter", "mode": "lines", "x": list(span), "y": list(span), "hoverinfo": "skip", "showlegend": False,
        "line": {"color": TOKENS[scheme].text3, "width": 1, "dash": "dot"},
    }  # fmt: skip
    boards = sorted({each.row.board for each in rows})
    traces = [_marks([each for each in rows if each.row.board == board], board, at, unit, scheme)
              for at, board in enumerate(boards)]  # fmt: skip
    layout = {
        "height": HEIGHT_PX,
        "margin": _MARGIN,
        "showlegend": True,
        "xaxis": {**axis_layout(span, log=True), "title": {"text": f"Measured {name} ({unit})"}},
        "yaxis": axis_layout(span, log=True),
        "annotations": [axis_name(f"Predicted {name}", unit, scheme)],
        "legend": {"y": 1.1},
    }
    return figure(scheme, [line, *traces], layout)


def prediction_sentence(rows: Sequence[ValidationRow], stage: str) -> str:
    """Return the picture in one sentence."""
    name, unit = _NAMES[stage]
    boards = len({each.row.board for each in rows})
    least, most = (significant(bound(each.row.value for each in rows)) for bound in (min, max))
    return f"Measured and predicted {name} of {len(rows)} measurements on {boards} boards, {least} to {most} {unit}."


def _marks(rows: Sequence[ValidationRow], board: str, place: int, unit: str, scheme: Scheme) -> Entry:
    style = RUNS[place % len(RUNS)]
    return {
        "type": "scatter", "mode": "markers", "name": board,
        "x": [each.row.value for each in rows], "y": [each.predicted_value for each in rows],
        "customdata": [[each.row.model, each.row.bits, 100 * (each.prediction.error or 0.0)] for each in rows],
        "marker": {"symbol": f"{style.symbol}-open", "size": 7, "color": style.colour[scheme], "line": {"width": 1.4}},
        "hovertemplate": f"<b>%{{customdata[0]}}</b>, {board}, %{{customdata[1]}}<br>measured %{{x:.4~g}} {unit}"
        f"<br>predicted %{{y:.4~g}} {unit} (%{{customdata[2]:+.1f}} %)<extra></extra>",
    }  # fmt: skip
