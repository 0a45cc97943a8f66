"""Actions of people on notes: read, write, change, pin and delete them. Pages and REST call these.

Every function asks `webapp.teams` what the principal may see and change: notes are seen by all who see what they are about.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from engines.contract.errors import ProblemError
from webapp.annotations.mentions import notify
from webapp.annotations.models import Note
from webapp.annotations.texts import one_line, read_note
from webapp.annotations.things import noted_thing, project_holding
from webapp.teams.models import Project
from webapp.teams.permissions import Action, NotVisible, Principal, require, user_number
from webapp.teams.projects import is_key
from webapp.teams.row_locks import row_lock

MOST_SHOWN = 200
MOST_NOTES = 2000


class NoteChangedError(Exception):
    """An error for a note whose text was changed since it was read; nothing was stored.

    Attributes:
        note: as it is stored now.
    """

    def __init__(self, note: Note) -> None:
        self.note = note
        super().__init__("The note was changed since you read it.")


@dataclass(frozen=True)
class StoredNote:
    """A note that was just written or changed, and the mentioned names that nobody who sees the thing has."""

    note: Note
    unseen: tuple[str, ...] = ()


def notes_of(person: Principal, kind: str, number: Any) -> QuerySet[Note]:
    """Return the notes on a thing and on its designs, oldest first, with those who wrote them.

    Raises:
        NotVisible: there is no such thing, or `person` may not see it.
    """
    thing = noted_thing(person, kind, number)
    return _there().filter(kind=kind, number=thing.pk).select_related("owner")


def newest(notes: QuerySet[Note]) -> tuple[list[Note], int]:
    """Return the newest `MOST_SHOWN` of them, oldest first, and how many there are."""
    found = list(notes.order_by("-pk")[:MOST_SHOWN])
    return found[::-1], len(found) if len(found) < MOST_SHOWN else notes.count()


def get_note(person: Principal, number: Any) -> Note:
    """Return one note.

    Raises:
        NotVisible: there is none, or `person` may not see what it is about.
    """
    rows = _there().select_related("owner", "project")
    found = rows.filter(pk=number).first() if is_key(number) else None
    if found is None:
        raise NotVisible(f"There is no note {number} here.")
    try:
        noted_thing(person, found.kind, found.number)
    except NotVisible:
        raise NotVisible(f"There is no note {number} here.") from None
    return found


def write(
    person: Principal, kind: str, number: Any, text: object, design: int | None = None, pinned: bool = False
) -> StoredNote:
    """Return a new note; who is mentioned in it and sees the thing is told.

    Args:
        person: who writes it; an editor of the thing's project.
        kind: an annotatable one.
        number: number of the thing.
        text: Markdown.
        design: design of the run that it is about; None for the thing as a whole.
        pinned: whether it stands at the design wherever that is shown; another one there no longer does.

    Raises:
        NotVisible, NotAllowed: `person` does not see it, or only views its project.
        ProblemError: names the field, what was got and what is accepted.
    """
    thing = noted_thing(person, kind, number)
    require(person, Action.EDIT, thing)
    words = read_note(text)
    _check_design(kind, thing, design, pinned)
    project = project_holding(thing)
    with row_lock(type(thing), thing.pk):
        if Note.objects.filter(kind=kind, number=thing.pk).count() >= MOST_NOTES:
            ways = ["Delete some notes first."]
            raise ProblemError(
                "text", "another note", f"one of at most {MOST_NOTES} notes on one {kind}", remedies=ways
            )
        if pinned:
            _unpin(project, kind, thing.pk, design)
        note = Note.objects.create(
            project=project, kind=kind, number=thing.pk, design=design, pinned=pinned,
            owner_id=user_number(person), text=words,
        )  # fmt: skip
    return StoredNote(note, notify(note, thing))


def change(
    person: Principal, number: Any, text: object = None, pinned: bool | None = None, seen: str | None = None
) -> StoredNote:
    """Change one's own note; who is mentioned newly is told. None leaves a part as it is.

    Args:
        person: who wrote it.
        number: number of the note.
        text: Markdown.
        pinned: whether it stands at its design.
        seen: the text that was changed; None does not ask.

    Raises:
        NotVisible, NotAllowed, ProblemError: as `write`; it is another person's.
        NoteChangedError: another text than `seen` is stored by now.
    """
    with row_lock(Note, number if is_key(number) else None):
        note = get_note(person, number)
        require(person, Action.AMEND, note)
        thing = noted_thing(person, note.kind, note.number)
        words = note.text if text is None else read_note(text)
        pin = note.pinned if pinned is None else pinned
        _check_design(note.kind, thing, note.design, pin)
        if seen is not None and note.text not in (seen, words):
            raise NoteChangedError(note)
        if pin and not note.pinned:
            _unpin(project_holding(thing), note.kind, note.number, note.design)
        if words != note.text:
            note.text, note.edited = words, timezone.now()
        note.pinned = pin
        note.save(update_fields=["text", "edited", "pinned"])
    return StoredNote(note, notify(note, thing))


def remarks_on(runs: Iterable[int]) -> dict[int, dict[int, str]]:
    """Run -> design -> the remark that is pinned to it, as one plain line. One query.

    Args:
        runs: which the person who looks sees: whoever calls has asked for them.
    """
    numbers = list(runs)
    rows = _there().filter(kind="run", number__in=numbers, pinned=True, design__isnull=False)
    found: dict[int, dict[int, str]] = {number: {} for number in numbers}
    for run, design, text, who in rows.values_list("number", "design", "text", "owner__username"):
        found[run][int(design or 0)] = f"{who}: {one_line(text)}"
    return found


def _there() -> QuerySet[Note]:
    return Note.objects.filter(deleted=None)


def make_room(note: Note) -> None:
    """Unpin a deleted note before it comes back, if another remark has been pinned since."""
    taken = _there().filter(kind=note.kind, number=note.number, design=note.design, pinned=True).exclude(pk=note.pk)
    if note.pinned and taken.exists():
        note.pinned = False
        note.save(update_fields=["pinned"])


def _unpin(project: Project, kind: str, number: int, design: int | None) -> None:
    # Two people who pin at once come one after the other.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    for other in _there().filter(kind=kind, number=number, design=design, pinned=True):
        other.pinned = False
        other.save(update_fields=["pinned"])


def _check_design(kind: str, thing: Any, design: int | None, pinned: bool) -> None:
    if design is None:
        if pinned:
            raise ProblemError("pinned", True, "false for a note without a design")
        return
    if kind != "run":
        raise ProblemError("design", design, "left out", reason=f"A {kind} has no designs.")
    if not 0 <= design < thing.design_count:
        there = f"0 to {thing.design_count - 1}" if thing.design_count else "left out until the run has designs"
        raise ProblemError("design", design, there)
