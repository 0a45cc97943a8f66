"""What an edit changes, and what two people have changed at once. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.icon import icon
from frontend.figures.numbers import integer
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.catalogue.document.versions import value_words
from frontend.pages.run.words import person_name
from webapp.catalogue.differences import Difference, differences
from webapp.catalogue.models import DocumentVersion

_MOST = 40
_LONGEST = 120


def difference_box(number: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> Component:
    """What the document as it stands changes of the present version."""
    found = differences(before, after)
    if not found:
        return html.Div(f"No difference to version {number}.", className="sm t2")
    return html.Details(
        [html.Summary(f"{_count(found)} from version {number}", className="sm"), difference_lines(found)],
        open=True,
        className="hardware-differences",
    )


def difference_lines(found: Sequence[Difference]) -> Component:
    """A line per key: before and after."""
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


def _count(found: Sequence[Difference]) -> str:
    return "1 key differs" if len(found) == 1 else f"{integer(len(found))} keys differ"


def conflict_box(theirs: DocumentVersion, base: DocumentVersion | None, mine: Mapping[str, Any]) -> Component:
    """Somebody else was first: what they changed, what mine differs in, and what can be done.

    Args:
        theirs: the newest version.
        base: the version that was edited here; None where another document was, whose name has been changed to this one's.
        mine: the document that was to be saved.
    """
    who, number = person_name(theirs.created_by) if theirs.created_by else "Somebody", theirs.number
    reason = f" Their reason: {theirs.reason}" if theirs.reason else ""
    name = f"{theirs.document.project.slug}/{theirs.document.slug}"
    words = (
        f"{who} saved version {number} while you were editing."
        if base
        else f"{name} is there already: {who} saved version {number}."
    )
    head = html.Div([icon("alert-triangle", "s"), html.Span(words, className="b")], className="row")
    changed = differences(base.content, theirs.content) if base else []
    other = differences(theirs.content, mine)
    return html.Div(
        [
            head,
            html.Div(f"Nothing of yours is saved or lost yet.{reason}", className="sm"),
            *_part("They changed", changed),
            *(
                _part("Yours differs from theirs in", other)
                or [html.Div("Yours says the same as theirs.", className="sm")]
            ),
            html.Div(
                [
                    _choice("mine", theirs, f"Save mine as version {number + 1}", "Theirs stays as an earlier version"),
                    _choice("theirs", theirs, "Take theirs", "The form and the text show theirs; yours is dropped"),
                    _choice("on", theirs, "Go on editing", "Save asks again"),
                ],
                className="row wrap",
            ),
        ],
        className="notice warn hardware-conflict",
        role="alert",
    )


def _part(words: str, found: Sequence[Difference]) -> list[Component]:
    if not found:
        return []
    return [
        html.Div([html.Div(f"{words}:", className="sm b"), difference_lines(found)], className="hardware-differences")
    ]


def _choice(name: str, theirs: DocumentVersion, words: str, title: str) -> Component:
    document = f"{theirs.document.project.slug}/{theirs.document.slug}"
    chosen = {"type": Ids.CHOICE_TYPE, "name": name, "document": document, "number": theirs.number}
    return button(words, id=chosen, title=title)
