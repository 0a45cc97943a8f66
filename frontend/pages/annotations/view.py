"""The view of notes. No callbacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from frontend.components.button import button, icon_button
from frontend.components.chip import chip
from frontend.components.draft import stored_mark
from frontend.components.icon import icon
from frontend.components.items.conflict import conflict_box, text_difference
from frontend.components.items.notes import action_id, field_id, text_field
from frontend.components.moment import moment
from frontend.components.states import notice
from frontend.designs.run_words import person_name
from frontend.figures.numbers import ago, integer, many
from frontend.pages.words import initials
from webapp.annotations.mentions import unseen_words
from webapp.annotations.models import Note
from webapp.annotations.notes import StoredNote, newest, notes_of
from webapp.annotations.texts import as_html
from webapp.annotations.things import noted_thing, project_holding
from webapp.teams.permissions import Action, Principal, role_of, roles_for, user_number


@dataclass(frozen=True)
class OpenNote:
    """A note that stands in a field.

    Attributes:
        text: displayed text.
        seen: the stored text that is being changed.
        asked: whether its author is asked what to do with another text that is stored by now.
        as_stored: whether the field shows what is stored in place of what was typed.
    """

    text: str
    seen: str
    asked: bool = False
    as_stored: bool = False


def notes_view(
    person: Principal, kind: str, number: Any, opened: Mapping[int, OpenNote] | None = None
) -> list[Component]:
    """Return all notes on a thing, oldest first.

    Args:
        person: who looks.
        kind: an annotatable one.
        number: number of the thing.
        opened: the notes that stand in fields, by number.

    Raises:
        NotVisible: there is no such thing, or `person` may not see it.
    """
    shown, count = newest(notes_of(person, kind, number))
    if not shown:
        return [html.Div("No notes yet.", className="sm t3")]
    role = role_of(person, project_holding(noted_thing(person, kind, number)))
    earlier = count - len(shown)
    words = [notice(f"The newest {integer(len(shown))} of {many(count, 'note')}.")] if earlier else []
    return [*words, *[_note(person, role, each, (opened or {}).get(each.pk)) for each in shown]]


def told_view(written: StoredNote) -> Component | str:
    """Return further information for the author of a stored note."""
    words = unseen_words(written.unseen)
    return notice(words, tone="warn") if words else ""


def _note(person: Principal, role: str | None, note: Note, opened: OpenNote | None) -> Component:
    name, now = person_name(note.owner), timezone.now()
    own = note.owner_id == user_number(person)
    head = [
        html.Span(initials(name), className="ava s", **{"aria-hidden": "true"}),
        html.Span(name, className="b sm"),
        moment(note.created, now, "xs t3"),
        html.Span("changed", className="xs t3", title=ago(note.edited, now)) if note.edited else None,
        *_about(note),
        html.Span(className="sp"),
        *(_controls(note, own, role) if opened is None else []),
    ]
    # The text has passed `as_html`; `static_parts.js` puts it in its place.
    text = html.Div(className="note-text", **{"data-html": as_html(note.text)})
    body = _field(note, opened) if opened is not None and own else text
    return html.Article([html.Div(head, className="row g4"), body], className="note", id=f"note-{note.pk}")


def _about(note: Note) -> list[Component]:
    if note.design is None:
        return []
    words = f"Design {note.design:04d}"
    link = dcc.Link(words, href=f"/runs/{note.number}?design={note.design}", className="chip line")
    return [link, *([chip("pinned", tone="acc", icon="pinned")] if note.pinned else [])]


def _controls(note: Note, own: bool, role: str | None) -> list[Component]:
    """Return the buttons for what the person may do with the note; `webapp.annotations` asks again when one is pressed."""
    found: list[Component] = []
    if own and role in roles_for(Action.AMEND):
        if note.design is not None:
            words = "Unpin from the design" if note.pinned else "Pin to the design"
            picture = "pin" if note.pinned else "pinned"
            found.append(icon_button(picture, words, id=action_id("unpin" if note.pinned else "pin", note.pk)))
        found.append(icon_button("edit", "Change the note", id=action_id("edit", note.pk)))
    if role in roles_for(Action.WITHDRAW) or (own and role in roles_for(Action.AMEND)):
        found.append(icon_button("trash", "Delete the note", id=action_id("delete", note.pk)))
    return found


def _field(note: Note, opened: OpenNote) -> Component:
    buttons = [
        button("Save", id=action_id("save", note.pk), kind="primary", size="small"),
        button("Leave it", id=action_id("leave", note.pk), size="small"),
    ]
    stored = [stored_mark()] if opened.as_stored else []
    field = text_field("", opened.text, note.pk, *stored)
    seen = dcc.Store(id=field_id("seen", note.pk), data=opened.seen)
    # The question has the ways to go on.
    below = _conflict(note, opened) if opened.asked else html.Div(buttons, className="row")
    return html.Div([seen, field, below], className="stack")


def _conflict(note: Note, opened: OpenNote) -> Component:
    question = conflict_box(
        "This note was changed in another tab or program while you were writing.",
        "",
        text_difference(opened.seen, note.text, ("Before", "Theirs")),
        text_difference(note.text, opened.text, ("Theirs", "Yours")),
        [
            button("Save mine", id=action_id("mine", note.pk), size="small"),
            button("Take theirs", id=action_id("theirs", note.pk), size="small"),
            button("Continue writing", id=action_id("on", note.pk), size="small"),
        ],
    )
    return html.Div([dcc.Store(id=field_id("theirs", note.pk), data=note.text), question])


def deleted_view(note: Note) -> Component:
    """Show that a note is deleted, with a button to restore it."""
    undo = button("Undo", id=action_id("restore", note.pk), size="small", icon="refresh")
    return html.Div([icon("trash", "s"), html.Span("The note is deleted."), undo], className="notice row")
