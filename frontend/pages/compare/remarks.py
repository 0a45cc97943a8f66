"""Remarks that are pinned to the designs that a comparison looks at."""

from __future__ import annotations

from collections.abc import Sequence

from dash import html
from dash.development.base_component import Component

from frontend.pages.compare.data import Side
from frontend.pages.compare.view import letter
from webapp.annotations.notes import remarks_on


def remark_lines(sides: Sequence[Side]) -> Component | None:
    """Return a line per run whose design has one, in one query; None without any."""
    found = remarks_on([side.run.pk for side in sides])
    lines = [
        html.Div(
            [letter(side.style), html.Span(side.words, className="b nw"), html.Span(words)], className="row g4 top sm"
        )
        for side in sides
        if side.number is not None and (words := found[side.run.pk].get(side.number))
    ]
    return html.Div(lines, className="stack compare-remarks") if lines else None
