"""Conflicting changes of two users to one item: both changes, and the ways to resolve them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from dash import html
from dash.development.base_component import Component

from frontend.components.icon import icon
from frontend.figures.numbers import integer
from webapp.catalogue.differences import Difference

_MOST_ROWS = 60
_MOST = 40
_LONGEST = 120


def conflict_box(
    words: str, reason: str, changed: Component | None, other: Component | None, choices: Sequence[Component]
) -> Component:
    """Return the question, which is answered before anything is stored.

    Args:
        words: who saved what.
        reason: why, in their words; "" for none.
        changed: description of their changes; None if unknown.
        other: differences between own and other version; None without differences.
        choices: keep mine, take theirs, continue.
    """
    head = html.Div([icon("alert-triangle", "s"), html.Span(words, className="b")], className="row")
    note = "Nothing is lost. Your changes are not saved yet." + (f" Their reason: {reason}" if reason else "")
    same = html.Div("Your version equals theirs.", className="sm")
    parts = [
        None if changed is None else _part("They changed", changed),
        same if other is None else _part("Your version differs from theirs in", other),
    ]
    return html.Div(
        [head, html.Div(note, className="sm"), *parts, html.Div(list(choices), className="row wrap")],
        className="notice warn conflict",
        role="alert",
    )


def _part(words: str, shown: Component) -> Component:
    return html.Div([html.Div(f"{words}:", className="sm b"), shown], className="differences")


def difference_lines(found: Sequence[Difference]) -> Component:
    """Return a line per key: before and after."""
    lines = [html.Li(_line(each)) for each in found[:_MOST]]
    rest = len(found) - _MOST
    return html.Ul([*lines, *([html.Li(f"and {integer(rest)} more")] if rest > 0 else [])])


def _line(each: Difference) -> list[Component | str]:
    key = html.Span(each.key, className="mono")
    if each.change == "added":
        return [key, " added: ", _value(each.after)]
    if each.change == "removed":
        return [key, " removed: ", html.Del(_value(each.before))]
    return [key, ": ", html.Del(_value(each.before)), " → ", html.Ins(_value(each.after))]


def _value(value: Any) -> str:
    words = value_words(value)
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"


def value_words(value: Any) -> str:
    """Return a value of a document in words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {value_words(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(value_words(item) for item in value)
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def text_difference(before: str, after: str, titles: tuple[str, str]) -> Component | None:
    """Return the lines of two texts that differ, side by side; None where none does."""
    left, right = before.splitlines(), after.splitlines()
    rows = [
        html.Tr([html.Td(html.Del(_lines(left[a:b]))), html.Td(html.Ins(_lines(right[c:d])))])
        for change, a, b, c, d in SequenceMatcher(None, left, right).get_opcodes()
        if change != "equal"
    ]
    if not rows:
        return None
    more = len(rows) - _MOST_ROWS
    head = html.Thead(html.Tr([html.Th(title) for title in titles]))
    table = html.Table([head, html.Tbody(rows[:_MOST_ROWS])], className="t tight sides")
    left_out = html.Div(f"and {integer(more)} more", className="xs t3") if more > 0 else None
    return html.Div([html.Div(table, className="table-scroll"), left_out])


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(lines)
