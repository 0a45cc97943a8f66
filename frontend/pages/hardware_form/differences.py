"""Changes of an edit, and conflicts between two people's edits. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.items.conflict import conflict_box as shared_box
from frontend.components.items.conflict import difference_lines
from frontend.designs.run_words import person_name
from frontend.figures.numbers import integer
from frontend.ids.hardware_form import HardwareFormIds as Ids
from webapp.catalogue.differences import Difference, differences
from webapp.catalogue.models import DocumentVersion


def difference_box(number: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> Component:
    """Return the differences of the draft from the present version."""
    found = differences(before, after)
    if not found:
        return html.Div(f"No difference to version {number}.", className="sm t2")
    return html.Details(
        [html.Summary(f"{_count(found)} from version {number}", className="sm"), difference_lines(found)],
        open=True,
        className="differences",
    )


def _count(found: Sequence[Difference]) -> str:
    return "1 key differs" if len(found) == 1 else f"{integer(len(found))} keys differ"


def conflict_box(theirs: DocumentVersion, base: DocumentVersion | None, mine: Mapping[str, Any]) -> Component:
    """Show that another person was first: their changes, the differences of mine, and the choices.

    Args:
        theirs: the newest version.
        base: the version that was edited here; None where another document was, whose name has been changed to this one's.
        mine: the document that was to be saved.
    """
    who, number = person_name(theirs.created_by) if theirs.created_by else "Somebody", theirs.number
    name = f"{theirs.document.project.slug}/{theirs.document.slug}"
    words = (
        f"{who} saved version {number} while you were editing."
        if base
        else f"{name} exists already: {who} saved version {number}."
    )
    changed = differences(base.content, theirs.content) if base else []
    other = differences(theirs.content, mine)
    choices = [
        _choice("mine", theirs, f"Save mine as version {number + 1}", "Their version stays as an earlier version"),
        _choice("theirs", theirs, "Take theirs", "The form and the text show their version; your changes are dropped"),
        _choice("on", theirs, "Continue editing", "Save asks again"),
    ]
    return shared_box(
        words,
        theirs.reason,
        difference_lines(changed) if changed else None,
        difference_lines(other) if other else None,
        choices,
    )


def _choice(name: str, theirs: DocumentVersion, words: str, title: str) -> Component:
    document = f"{theirs.document.project.slug}/{theirs.document.slug}"
    chosen = {"type": Ids.CHOICE_TYPE, "name": name, "document": document, "number": theirs.number}
    return button(words, id=chosen, title=title)
