"""Marks at designs that have a pinned remark: a small triangle above each, whose text is shown on approach."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from textwrap import wrap
from typing import Any

import numpy as np

from frontend.theme import TOKENS, Scheme

_LINE_LETTERS = 60
_ABOVE_PX = 15


def remark_marks(
    x: Mapping[int, float], y: Mapping[int, float], remarks: Mapping[int, str], scheme: Scheme
) -> dict[str, Any]:
    """Return the trace of the marks.

    Args:
        x: number of each such design -> its value on that axis; a design without one gets no mark.
        y: likewise.
        remarks: number -> text, which is shown as it is and never read as markup.
        scheme: light or dark.
    """
    numbers = [each for each in sorted(remarks) if each in x and np.isfinite(x[each]) and np.isfinite(y[each])]
    tokens = TOKENS[scheme]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x[each] for each in numbers],
        "y": [y[each] for each in numbers],
        "customdata": numbers,
        "text": ["<br>".join(escape(line, quote=False) for line in wrap(remarks[each], _LINE_LETTERS)) for each in numbers],
        "hovertemplate": "<b>Design %{customdata}</b><br>%{text}<extra></extra>",
        "marker": {
            "symbol": "triangle-up", "size": 9, "color": tokens.text, "angle": 180, "standoff": _ABOVE_PX,
            "line": {"width": 1, "color": tokens.surface},
        },
        "meta": "remarks",
    }  # fmt: skip
