"""Callbacks of notes, tags and the star of a page's item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import dash_mantine_components as dmc
from dash import ALL, Input, Output, State, callback, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import ProblemError
from frontend.components.clicks import clicked_id
from frontend.components.items.marks import star_class, star_picture, tag_chips
from frontend.components.states import notice
from frontend.ids.notes_and_tags import TalkIds
from frontend.pages.annotations.view import OpenNote, deleted_view, notes_view, told_view
from frontend.request import current_user
from webapp.annotations.marks import MOST_TAGS, marks_of, set_star, set_tags, tag_counts
from webapp.annotations.models import Note
from webapp.annotations.notes import NoteChangedError, change, get_note, write
from webapp.annotations.notices import mark_read_of
from webapp.annotations.things import marked_thing
from webapp.deletions.service import delete, restore
from webapp.teams.permissions import NotAllowed, Principal, known

_FIELDS = {"type": TalkIds.FIELD_TYPE, "name": ALL, "number": ALL}
# Other fields have a value; these hold what they are about in another property.
_CHECKED, _DATA = ("pinned",), ("seen", "theirs")
# (name of the field, number of the note) -> what stands there.
Given = Mapping[tuple[str, int], Any]
_CLOSED = OpenNote("", "")


@callback(Output(TalkIds.NOTES, "children"), Input(TalkIds.THING, "data"))
def show_notes(thing: dict[str, Any]) -> Any:
    """Return the notes after the page has loaded; notices of visible notes are marked as read."""
    person = current_user()
    shown = notes_view(person, str(thing.get("kind")), thing.get("number"))
    if known(person) and thing.get("opened"):
        mark_read_of(person, thing["kind"], thing["number"])
    return shown


@callback(
    Output(TalkIds.NOTES, "children", allow_duplicate=True),
    Output(TalkIds.TOLD, "children"),
    Output({"type": TalkIds.FIELD_TYPE, "name": "text", "number": 0}, "value"),
    Output(TalkIds.TURN, "data"),
    Input({"type": TalkIds.ACTION_TYPE, "name": ALL, "number": ALL}, "n_clicks"),
    State(_FIELDS, "value"),
    State(_FIELDS, "checked"),
    State(_FIELDS, "data"),
    State(_FIELDS, "id"),
    State(TalkIds.THING, "data"),
    State(TalkIds.TURN, "data"),
    prevent_initial_call=True,
)
def act(
    clicks: list[int | None], values: list[Any], checks: list[Any], data: list[Any], fields: list[dict[str, Any]],
    thing: dict[str, Any], turn: int,
) -> Any:  # fmt: skip
    """Write, change, pin, delete or bring back a note, and show all as they are then; what is open stays open."""
    button = clicked_id(clicks)
    person, name, number = current_user(), button["name"], button["number"]
    given = {
        (field["name"], field["number"]): check
        if field["name"] in _CHECKED
        else datum
        if field["name"] in _DATA
        else value
        for field, value, check, datum in zip(fields, values, checks, data, strict=True)
    }
    opened = _opened(given)
    told: Component | str = ""
    try:
        if name in ("edit", "theirs"):
            stored = get_note(person, number).text
            opened[number] = OpenNote(stored, stored, as_stored=name == "theirs")
        elif name == "on":
            opened[number] = replace(opened.get(number, _CLOSED), asked=False)
        else:
            told = _done(person, thing, name, number, given)
            if name in ("leave", "save", "mine", "delete"):
                opened.pop(number, None)
    except NoteChangedError:
        name, opened[number] = "asked", replace(opened.get(number, _CLOSED), asked=True)
    except (NotAllowed, ProblemError) as error:
        return no_update, notice(_words(error), tone="bad"), no_update, no_update
    shown = notes_view(person, thing["kind"], thing["number"], opened)
    changed = name not in ("edit", "leave", "theirs", "on", "asked")
    return shown, told, "" if name == "add" else no_update, (turn or 0) + 1 if changed else no_update


def _opened(given: Given) -> dict[int, OpenNote]:
    """Return the notes that stand in fields."""
    return {
        number: OpenNote(str(text or ""), str(given.get(("seen", number)) or ""), asked=("theirs", number) in given)
        for (name, number), text in given.items()
        if name == "text" and number
    }


def _done(person: Principal, thing: Mapping[str, Any], name: str, number: int, given: Given) -> Component | str:
    if name == "add":
        design = given.get(("design", 0))
        about = int(design) if isinstance(design, int | float) else None
        pinned = bool(given.get(("pinned", 0))) and about is not None
        return told_view(write(person, thing["kind"], thing["number"], given.get(("text", 0)) or "", about, pinned))
    if name == "restore":
        restore(person, "note", number)
        return ""
    if name == "leave":
        return ""
    note = get_note(person, number)
    if name in ("save", "mine"):
        seen = given.get(("seen" if name == "save" else "theirs", number))
        return told_view(change(person, number, given.get(("text", number)) or "", seen=seen))
    if name in ("pin", "unpin"):
        return told_view(change(person, number, pinned=name == "pin"))
    return _deleted(person, note) if name == "delete" else ""


def _deleted(person: Principal, note: Note) -> Component:
    delete(person, "note", note.pk)
    return deleted_view(note)


def _words(error: Exception) -> str:
    if not isinstance(error, ProblemError):
        return str(error)
    return error.explained(f"The note is not stored. It must be {error.accepted}. Got {error.got} instead.")


# -- tags and the star ------------------------------------------------------------------------------------------------


@callback(
    Output(TalkIds.STAR, "className"),
    Output(TalkIds.STAR, "aria-pressed"),
    Output(TalkIds.STAR, "children"),
    Input(TalkIds.STAR, "n_clicks"),
    State(TalkIds.MARKED, "data"),
    prevent_initial_call=True,
)
def star(clicks: int | None, thing: dict[str, Any]) -> Any:
    """Give the star, or take it back."""
    if not clicks:
        raise PreventUpdate
    person, kind = current_user(), thing["kind"]
    number = marked_thing(person, kind, thing["number"]).pk
    given = not marks_of(person, kind, [number])[number].star
    try:
        set_star(person, kind, number, given)
    except NotAllowed:  # somebody with an account who came by a link
        raise PreventUpdate from None
    return star_class(given), str(given).lower(), star_picture(given)


@callback(
    Output(TalkIds.TAGS_BODY, "children"),
    Input(TalkIds.TAGS_OPEN, "n_clicks"),
    State(TalkIds.MARKED, "data"),
    prevent_initial_call=True,
)
def open_tags(clicks: int | None, thing: dict[str, Any]) -> Any:
    """Return the field with the tags as they are when it opens; those of the projects are offered."""
    if not clicks:
        raise PreventUpdate
    person, kind = current_user(), thing["kind"]
    number = marked_thing(person, kind, thing["number"]).pk
    offered = list(dict.fromkeys(word for word, _ in tag_counts(person)))
    field = dmc.TagsInput(
        id=TalkIds.TAGS_FIELD, value=list(marks_of(person, kind, [number])[number].tags), data=offered, size="xs",
        placeholder="A word, then Enter", maxTags=MOST_TAGS, splitChars=[","], comboboxProps={"withinPortal": False},
        **{"aria-label": "Tags"},
    )  # fmt: skip
    words = "Free words, visible to everyone who sees the item. Lists and the search find it by them."
    return html.Div([field, html.P(words, className="xs t3")], className="stack")


@callback(
    Output(TalkIds.TAGS, "children"),
    Output(TalkIds.TAGS_TOLD, "children"),
    Input(TalkIds.TAGS_FIELD, "value"),
    State(TalkIds.MARKED, "data"),
    prevent_initial_call=True,
)
def store_tags(words: list[Any] | None, thing: dict[str, Any]) -> Any:
    """Store them whenever they change."""
    try:
        stored = set_tags(current_user(), thing["kind"], thing["number"], words or [])
    except (NotAllowed, ProblemError) as error:
        return no_update, notice(_words(error), tone="bad")
    return tag_chips(thing["kind"], stored), ""
