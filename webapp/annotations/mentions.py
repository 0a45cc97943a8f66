"""Mentions: "@name" in a note tells the person, in the application and by e-mail, if they see what the note is about."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.template.loader import render_to_string

from webapp.annotations.models import Note, Notice
from webapp.annotations.texts import plain_words
from webapp.annotations.things import noted_thing, place_of, title_of
from webapp.teams.mail import mail_later
from webapp.teams.permissions import NotVisible

MOST_MENTIONS = 20
# Letters that names of accounts have; no part of an e-mail address.
_MENTION = re.compile(r"(?<![\w@.+-])@([\w.+-]{1,150})")


def mentioned_names(text: str) -> list[str]:
    """Return the names after "@" in a note, in order, each once, without code; at most `MOST_MENTIONS`."""
    found = (name for words in plain_words(text) for name in _MENTION.findall(words))
    return list(dict.fromkeys(found))[:MOST_MENTIONS]


def notify(note: Note, thing: Any) -> tuple[str, ...]:
    """Send notices of this note to mentioned users who have none yet.

    Returns:
        The names that nobody who sees the thing has: whether there is such an account is not told.
    """
    unseen: list[str] = []
    for name in mentioned_names(note.text):
        account = _account(name)
        if account is None or not _sees(account, note):
            unseen.append(name)
        elif account.pk != note.owner_id:
            _, new = Notice.objects.get_or_create(user=account, note=note)
            if new and settings.PARETOSCOPE_SENDS_MAIL and account.email:
                transaction.on_commit(partial(_mail, note, thing, account), robust=True)
    return tuple(unseen)


def unseen_words(names: tuple[str, ...]) -> str:
    """Return a message to a note's author on mentioned people who cannot see it; "" without such people."""
    if not names:
        return ""
    listed = ", ".join(f"@{name}" for name in names)
    if len(names) == 1:
        return f"{listed} cannot see this item or has no account here, so no notification was sent."
    return f"{listed} cannot see this item or have no accounts here, so they got no notification."


def _account(name: str) -> Any:
    """Return the account of that name; a full stop or a hyphen at its end may belong to the sentence."""
    names = dict.fromkeys((name, name.rstrip(".-+")))
    found = {each.get_username(): each for each in get_user_model().objects.filter(username__in=names, is_active=True)}
    return next((found[each] for each in names if each in found), None)


def _sees(account: Any, note: Note) -> bool:
    try:
        noted_thing(account, note.kind, note.number)
    except NotVisible:
        return False
    return True


def _mail(note: Note, thing: Any, account: Any) -> None:
    words = {
        "note": note,
        "title": title_of(note.kind, thing),
        "address": settings.PARETOSCOPE_PUBLIC_URL + place_of(note.kind, thing, note.design),
    }
    subject = f"{note.owner} mentions you at {words['title']} on Paretoscope"
    mail_later(subject, render_to_string("talk/mention.txt", words), account.email)
