"""Sending what is stored: signed, again after a failure, by one sender at a time, and not for ever."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connections
from django.db.models import F
from django.utils import timezone

from tests.support.databases import LiveDatabase
from tests.support.http_receiver import Receiver, answer
from tests.support.stored_runs import People, make_people
from webapp.teams.mail import await_mails
from webapp.teams.models import Project
from webapp.webhooks import senders
from webapp.webhooks.models import Delivery, Webhook
from webapp.webhooks.outbox import ping
from webapp.webhooks.senders import MOST_ATTEMPTS, deliver_next, wait_s
from webapp.webhooks.service import change_webhook, make_webhook, send_again

pytestmark = pytest.mark.usefixtures("loopback")


@pytest.fixture
def made(people: People, server: Receiver) -> tuple[Webhook, str]:
    return make_webhook(people.owner, people.project, f"{server.url}/hook", ["run.done"])


def refusing(server: Receiver) -> None:
    server.respond = lambda handler: answer(handler, 503, b"full")


def several(people: People, project: Project, count: int) -> list[Delivery]:
    """A message to each of so many addresses of a project."""
    made = [make_webhook(people.owner, project, "https://example.org", ["run.done"]) for _ in range(count)]
    return [ping(hook) for hook, _ in made]


def now_due() -> None:
    Delivery.objects.update(due=timezone.now() - timedelta(seconds=1))


def test_a_receiver_can_check_what_it_gets(made: tuple[Webhook, str], server: Receiver) -> None:
    hook, secret = made
    delivery = ping(hook)
    assert deliver_next() and not deliver_next()
    (got,) = server.received
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = b".".join([got.headers["webhook-id"].encode(), got.headers["webhook-timestamp"].encode(), got.body])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert got.headers["webhook-signature"] == f"v1,{expected}" and got.headers["webhook-id"] == delivery.identifier
    assert json.loads(got.body)["type"] == "ping" and got.headers["content-type"] == "application/json"
    assert abs(int(got.headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, delivery.answer_status, delivery.answer_start) == (
        "delivered",
        1,
        200,
        "taken",
    )
    assert delivery.took_ms is not None and delivery.tried is not None and delivery.held_until is None


def test_what_fails_is_sent_again_later_and_later_and_then_no_more(made: tuple[Webhook, str], server: Receiver) -> None:
    refusing(server)
    delivery = ping(made[0])
    waits = []
    for attempt in range(1, MOST_ATTEMPTS + 1):
        now_due()
        assert deliver_next()
        delivery.refresh_from_db()
        assert delivery.attempts == attempt and delivery.trouble == "It answered 503."
        waits.append((delivery.due - timezone.now()).total_seconds())
        assert not deliver_next(), "not before its time"
    now_due()
    assert delivery.status == "failed" and not deliver_next() and len(server.received) == MOST_ATTEMPTS
    assert len({each.headers["webhook-id"] for each in server.received}) == 1
    for attempt, waited in enumerate(waits[:-1], 1):
        usual = min(30 * 4 ** (attempt - 1), 6 * 3600)
        assert 0.7 * usual < waited < 1.3 * usual
    assert len({wait_s(3) for _ in range(20)}) > 1, "senders do not come back all at the same moment"


def test_a_message_is_sent_once_more_by_hand(made: tuple[Webhook, str], server: Receiver, people: People) -> None:
    delivery = ping(made[0])
    deliver_next()
    again = send_again(people.owner, made[0].pk, delivery.pk)
    assert (again.status, again.attempts) == ("waiting", 0)
    assert deliver_next() and len(server.received) == 2
    assert server.received[0].headers["webhook-id"] == server.received[1].headers["webhook-id"]


def test_one_sender_at_a_time_has_a_message_and_a_dead_one_loses_it(
    made: tuple[Webhook, str], server: Receiver
) -> None:
    delivery = ping(made[0])
    assert senders._take() is not None, "a sender that dies now"
    assert senders._take() is None and not deliver_next()
    Delivery.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    assert deliver_next()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("delivered", 2)


@pytest.mark.parametrize("field", ["due", "held_until"])
def test_a_message_from_before_the_clock_was_set_back_is_sent(
    made: tuple[Webhook, str], server: Receiver, field: str
) -> None:
    ping(made[0])
    Delivery.objects.update(**{field: timezone.now() + timedelta(hours=1)})
    assert not deliver_next(), "a sender may be at work on it"
    Delivery.objects.filter(held_until__isnull=False).update(held_until=F("held_until") - timedelta(seconds=61))
    assert deliver_next() and len(server.received) == 1


def test_a_late_sender_changes_nothing_that_another_one_has_stored(made: tuple[Webhook, str], server: Receiver) -> None:
    delivery = ping(made[0])
    late = senders._take()
    assert late is not None
    Delivery.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    deliver_next()
    senders.settle(late, senders.Answer(None, "", "late", 1))
    delivery.refresh_from_db()
    assert delivery.status == "delivered" and Webhook.objects.get().failing_since is None


def test_an_address_that_fails_lets_others_go_first(
    made: tuple[Webhook, str], server: Receiver, people: People
) -> None:
    other, _ = make_webhook(people.owner, people.project, f"{server.url}/other", ["run.done"])
    Webhook.objects.filter(pk=made[0].pk).update(failing_since=timezone.now())
    ping(made[0])
    ping(other)
    deliver_next()
    assert [each.path for each in server.received] == ["/other"]


def test_what_fails_for_days_is_switched_off_and_told(
    made: tuple[Webhook, str], server: Receiver, people: People, settings: Any
) -> None:
    settings.PARETOSCOPE_SENDS_MAIL = True
    people.owner.email, people.editor.email = "ann@example.org", "eve@example.org"
    people.owner.save()
    people.editor.save()
    refusing(server)
    ping(made[0])
    deliver_next()
    hook = Webhook.objects.get()
    assert hook.active and hook.failing_since is not None and not mail.outbox
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=settings.PARETOSCOPE_WEBHOOK_DAYS, seconds=1))
    now_due()
    deliver_next()
    hook.refresh_from_db()
    assert not hook.active and hook.given_up is not None
    assert await_mails()
    assert [each.to for each in mail.outbox] == [["ann@example.org"]] and hook.url in mail.outbox[0].body
    now_due()
    assert not deliver_next(), "nothing is sent to what is off"
    server.respond = lambda handler: answer(handler, 204)
    change_webhook(people.owner, hook.pk, active=True)
    assert deliver_next()
    hook.refresh_from_db()
    assert hook.active and hook.failing_since is None and hook.given_up is None


def test_one_message_that_is_taken_ends_the_failure(made: tuple[Webhook, str], server: Receiver) -> None:
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=100))
    ping(made[0])
    deliver_next()
    hook = Webhook.objects.get()
    assert hook.active and hook.failing_since is None


def test_a_worker_with_another_key_does_not_sign(made: tuple[Webhook, str], server: Receiver, settings: Any) -> None:
    ping(made[0])
    settings.SECRET_KEY = "of another site"
    deliver_next()
    assert not server.received and "SECRET_KEY" in Delivery.objects.get().trouble


def test_a_project_has_two_senders_and_one_without_comes_first(people: People) -> None:
    several(people, people.project, 4)
    first = senders._take()
    assert first is not None
    (other,) = several(people, people.owner.personal_project, 1)
    taken = [senders._take() for _ in range(3)]
    assert [each and each.webhook.project_id for each in taken] == [other.webhook.project_id, people.project.pk, None]
    senders.settle(first, senders.Answer(200, "", "", 1))
    assert senders._take() is not None, "the next, once one is done"


def test_senders_at_once_are_as_few(live_database: LiveDatabase) -> None:
    people = make_people()
    several(people, people.project, 6)

    def take(_: int) -> Delivery | None:
        try:
            return senders._take()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        taken = [each for each in pool.map(take, range(6)) if each is not None]
    assert len(taken) <= senders.MOST_SENDERS == Delivery.objects.filter(held_until__isnull=False).count()
