"""Readers who are told that a note mentions them, and what the author hears of the others."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from tests.support.stored_runs import People
from webapp.annotations.mentions import MOST_MENTIONS, mentioned_names, unseen_words
from webapp.annotations.models import Notice
from webapp.annotations.notes import change, write
from webapp.runs.models import Run
from webapp.teams.mail import await_mails


def told(person: Any) -> int:
    return Notice.objects.filter(user=person).count()


def test_names_stand_after_an_at_sign_outside_of_code_and_addresses() -> None:
    text = "@ann, @vic.\nto a@b.org, `@eve` and (@sam-1) **@ann** @@x"
    assert mentioned_names(text) == ["ann", "vic.", "sam-1"]
    assert len(mentioned_names(" ".join(f"@p{number}" for number in range(99)))) == MOST_MENTIONS


def test_who_sees_the_thing_is_told_and_nobody_else(people: People, run: Run) -> None:
    written = write(people.editor, "run", run.pk, "@vic. and @sam, @nobody-here and @eve: look")
    assert (told(people.viewer), told(people.stranger), told(people.editor)) == (1, 0, 0)
    assert written.unseen == ("sam", "nobody-here")
    assert unseen_words(("sam",)).replace("sam", "x") == unseen_words(("nina",)).replace("nina", "x")
    assert unseen_words(()) == ""


def test_a_change_tells_only_who_is_new(people: People, run: Run) -> None:
    note = write(people.editor, "run", run.pk, "@vic look").note
    change(people.editor, note.pk, "@vic and @ann look")
    assert (told(people.viewer), told(people.owner)) == (1, 1)


def test_an_e_mail_goes_out_where_mail_is_set_up(
    people: People, run: Run, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    people.viewer.email = "vic@example.org"
    people.viewer.save()
    people.stranger.email = "sam@example.org"
    people.stranger.save()
    with django_capture_on_commit_callbacks(execute=True):
        write(people.editor, "run", run.pk, "@vic look")
    assert mail.outbox == [], "without EMAIL_URL nothing is sent"
    settings.PARETOSCOPE_SENDS_MAIL = True
    with django_capture_on_commit_callbacks(execute=True):
        write(people.editor, "run", run.pk, "@vic & @sam & @ann <look>", design=2)
    assert await_mails()
    assert [each.to for each in mail.outbox] == [["vic@example.org"]]
    assert mail.outbox[0].subject == "eve mentions you at Toy run on Paretoscope"
    assert "@vic & @sam & @ann <look>" in mail.outbox[0].body
    assert f"/runs/{run.pk}?tab=notes&design=2" in mail.outbox[0].body


def test_a_mail_that_cannot_be_sent_loses_nothing(
    people: People, run: Run, settings: Any, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def refuse(*_args: Any) -> None:
        raise OSError("no route")

    monkeypatch.setattr("webapp.teams.mail.send_mail", refuse)
    settings.PARETOSCOPE_SENDS_MAIL = True
    people.viewer.email = "vic@example.org"
    people.viewer.save()
    with django_capture_on_commit_callbacks(execute=True):
        write(people.editor, "run", run.pk, "@vic look")
    assert told(people.viewer) == 1
