"""The card of notes on the thing that a page shows: a field for editors at once, the notes once the page is there."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.card import card
from frontend.components.draft import draft
from frontend.components.states import skeleton_rows
from frontend.ids.notes_and_tags import TalkIds


def notes_card(kind: str, number: int, editable: bool, *, designs: int = 0, opened: bool = True) -> Component:
    """Return the card.

    Args:
        kind: an annotatable one.
        number: number of the thing.
        editable: whether who looks may write.
        designs: designs of a run, about which notes can be.
        opened: whether the notes are before people's eyes, so that what tells of them is read.
    """
    return card(
        "Notes",
        dcc.Store(id=TalkIds.THING, data={"kind": kind, "number": number, "opened": opened}),
        dcc.Store(id=TalkIds.TURN, data=0),
        html.Div(skeleton_rows(1, 40), id=TalkIds.NOTES, className="notes", **{"aria-live": "polite"}),
        html.Div(id=TalkIds.TOLD, role="alert", className="told"),
        _composer(designs) if editable else None,
        class_name="notes-card",
    )


def field_id(name: str, number: int = 0) -> dict[str, Any]:
    """Return the id of a field; `number` is of the note that is being changed, 0 of a new one."""
    return {"type": TalkIds.FIELD_TYPE, "name": name, "number": number}


def action_id(name: str, number: int = 0) -> dict[str, Any]:
    """Return the id of a button that does `name` to the note of that number."""
    return {"type": TalkIds.ACTION_TYPE, "name": name, "number": number}


def text_field(words: str, value: str = "", number: int = 0, *beside: Component) -> Component:
    """Return a field for Markdown; `beside` is placed in the same form."""
    field: Component = dmc.Textarea(
        id=field_id("text", number), value=value, placeholder=words, autosize=True, minRows=2, maxRows=14, size="xs",
        **{"aria-label": "Note"},
    )  # fmt: skip
    return html.Div([field, *beside] if beside else field, **draft(name=f"note {number}"))


def _composer(designs: int) -> Component:
    design = dmc.NumberInput(
        id=field_id("design"), placeholder="All designs", min=0, max=max(designs - 1, 0), allowDecimal=False, size="xs", w=130,
        prefix="Design ", **{"aria-label": "Design that the note is about"},
    )  # fmt: skip
    pin = dmc.Checkbox(id=field_id("pinned"), label="Pin to the design", checked=False, size="xs")
    about = html.Span([design, pin], className="row g12", hidden=not designs)
    hint = html.Span("Markdown; @name notifies a person", className="xs t3")
    add = button("Add note", id=action_id("add"), icon="message", kind="primary", size="small")
    return html.Div(
        [
            text_field("Write a note for the others"),
            html.Div([about, html.Span(className="sp"), hint, add], className="row wrap"),
        ],
        className="stack notes-new",
    )
