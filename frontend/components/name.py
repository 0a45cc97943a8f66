"""Names that are too long for their place: cut in the middle, as their end tells them from their neighbours."""

from __future__ import annotations

import re

from dash import html
from dash.development.base_component import Component

_BREAKS = re.compile(r"[\s,/_\-·]+")
_SHORTEST = 12


def halves(text: str) -> tuple[str, str]:
    """Return the two parts of a name, apart at the break between words that is nearest to its middle; the second may be empty."""
    ends = [found.end() for found in _BREAKS.finditer(text) if found.end() < len(text)]
    if len(text) < _SHORTEST or not ends:
        return text, ""
    at = min(ends, key=lambda end: abs(end - len(text) / 2))
    return text[:at], text[at:]


def cut_name(text: str, class_name: str = "") -> Component:
    """Return a name on one line, or on two in a narrow place, with an ellipsis in the middle where two are too short as well.

    Pointing at it shows all of it. Tables in the browser have the same (`paretoscopeName` in `cells.js`).
    """
    head, tail = halves(text)
    parts: list[Component] = [html.Span(head, className="cut-head")]
    if tail:
        parts.append(html.Span(html.Bdi(tail), className="cut-tail"))
    return html.Span(parts, className=f"cut-name {class_name}".strip(), title=text)


def cut_words(text: str, most: int) -> str:
    """Return a name of at most `most` characters, for pictures and lists of choices: its middle gives way to an ellipsis."""
    if len(text) <= most:
        return text
    kept = most - 1
    return f"{text[: kept - kept // 2].rstrip()}…{text[len(text) - kept // 2 :].lstrip()}"
