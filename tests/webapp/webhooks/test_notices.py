"""Mails about webhooks that were switched off."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from tests.support.stored_runs import People
from webapp.teams.mail import await_mails
from webapp.webhooks.notices import tell_given_up
from webapp.webhooks.service import make_webhook


@pytest.mark.parametrize("sends", [True, False])
def test_maintainers_with_an_address_are_told(people: People, settings: Any, sends: bool) -> None:
    settings.PARETOSCOPE_SENDS_MAIL = sends
    people.project.title = "Lab\nBcc: everybody@example.org"
    people.project.save()
    for user in (people.owner, people.editor):
        user.email = f"{user.username}@example.org"
        user.save()
    tell_given_up(make_webhook(people.owner, people.project, "https://example.org/hook", ["run.done"])[0])
    assert await_mails()
    assert [message.to for message in mail.outbox] == ([["ann@example.org"]] if sends else [])
    if sends:
        assert "\n" not in mail.outbox[0].subject and "https://example.org/hook" in mail.outbox[0].body


def test_a_mail_that_cannot_be_sent_stops_nothing(
    people: People, settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.PARETOSCOPE_SENDS_MAIL = True
    people.owner.email = "ann@example.org"
    people.owner.save()

    def refuse(*arguments: Any) -> None:
        raise OSError("nobody answers")

    monkeypatch.setattr("webapp.teams.mail.send_mail", refuse)
    tell_given_up(make_webhook(people.owner, people.project, "https://example.org/hook", ["run.done"])[0])
    assert await_mails() and "nobody answers" in caplog.text
