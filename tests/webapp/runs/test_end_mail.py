"""The mail at the end of a long run."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run
from webapp.runs.signals import run_ended
from webapp.teams.mail import await_mails

MINUTE = {"PARETOSCOPE_MAIL_RUNS_MINUTES": 1, "PARETOSCOPE_SENDS_MAIL": True}


@pytest.fixture
def run(people: People) -> Run:
    people.owner.email = "ann@example.org"
    people.owner.save()
    return finished_run(people, steps=2, designs_per_step=3)


def end(run: Run, settings: Any, capture: Any, given: dict[str, Any], **facts: Any) -> list[Any]:
    for name, value in (MINUTE | given).items():
        setattr(settings, name, value)
    Run.objects.filter(pk=run.pk).update(**({"computed_s": 75.0} | facts))
    with capture(execute=True):
        run_ended.send(Run, run_id=run.pk)
    assert await_mails()
    return list(mail.outbox)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, "Toy run is done"),
        ({"status": "failed", "title": "Long\nBcc: x@example.org"}, "Long Bcc: x@example.org has failed"),
        ({"status": "stopped", "stop_after_minutes": 1.25}, "Toy run has reached its time limit"),
        ({"outcome": "infeasible"}, "Toy run is done: no design meets the limits"),
    ],
)
def test_the_owner_is_told_how_a_long_run_ended(
    run: Run, settings: Any, django_capture_on_commit_callbacks: Any, facts: dict[str, Any], words: str
) -> None:
    (message,) = end(run, settings, django_capture_on_commit_callbacks, {}, **facts)
    assert message.subject == f"{words} (run {run.pk:04d})" and message.to == ["ann@example.org"]
    assert f"/runs/{run.pk}" in message.body


@pytest.mark.parametrize(
    ("given", "facts"),
    [
        ({}, {"computed_s": 59.0}),
        ({}, {"status": "stopped"}),
        ({"PARETOSCOPE_MAIL_RUNS_MINUTES": 0}, {}),
        ({"PARETOSCOPE_SENDS_MAIL": False}, {}),
    ],
)
def test_nobody_is_told_of_a_short_run_or_without_the_settings(
    run: Run, settings: Any, django_capture_on_commit_callbacks: Any, given: dict[str, Any], facts: dict[str, Any]
) -> None:
    assert end(run, settings, django_capture_on_commit_callbacks, given, **facts) == []
