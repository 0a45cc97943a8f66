"""Notices: notes that mention a user, on items that the user may still see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from webapp.annotations.models import Notice
from webapp.annotations.texts import one_line
from webapp.annotations.things import place_of, seen_things, title_of
from webapp.teams.permissions import Principal, known, user_number
from webapp.teams.visibility import visible

MOST_SHOWN = 100


@dataclass(frozen=True)
class NoticeLine:
    """A notice in words.

    Attributes:
        number: number of the notice.
        who: wrote the note. title: of what it is about. place: path of its page.
        words: the note's first words. unread: whether it is new.
    """

    number: int
    who: str
    kind: str
    title: str
    place: str
    words: str
    at: datetime
    unread: bool


def notices_of(person: Principal, *, unread: bool = False) -> list[NoticeLine]:
    """Return the newest notices of a user, without notes or items that the user may no longer see.

    Args:
        person: whose.
        unread: only those that are new.
    """
    if not known(person):
        return []
    rows = visible(person, Notice.objects.filter(user_id=user_number(person)))
    rows = rows.filter(read=None) if unread else rows
    found = list(rows.select_related("note__owner").order_by("-pk")[:MOST_SHOWN])
    wanted: dict[str, set[int]] = {}
    for each in found:
        wanted.setdefault(each.note.kind, set()).add(each.note.number)
    things = seen_things(person, wanted)
    return [_line(each, things[key]) for each in found if (key := (each.note.kind, each.note.number)) in things]


def unread_count(person: Principal) -> int:
    """Return the number of unread notices of a person, with one query if there is none."""
    return len(notices_of(person, unread=True))


def mark_read(person: Principal, number: Any = None) -> None:
    """Mark one notice, or with None all of a person's, as read."""
    rows = Notice.objects.filter(user_id=user_number(person), read=None)
    (rows if number is None else rows.filter(pk=number)).update(read=timezone.now())


def mark_read_of(person: Principal, kind: str, number: int) -> None:
    """Mark the notices of a person about the notes on a thing as read."""
    rows = Notice.objects.filter(user_id=user_number(person), note__kind=kind, note__number=number, read=None)
    rows.update(read=timezone.now())


def _line(notice: Notice, thing: Any) -> NoticeLine:
    note = notice.note
    return NoticeLine(
        notice.pk,
        note.owner.get_username(),
        note.kind,
        title_of(note.kind, thing),
        place_of(note.kind, thing, note.design),
        one_line(note.text),
        notice.created,
        notice.read is None,
    )
