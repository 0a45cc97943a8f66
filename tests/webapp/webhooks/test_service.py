"""What maintainers do with webhooks, and that nobody else does."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from webapp.base.actor import command_line
from webapp.changes.models import Change
from webapp.teams.permissions import NotAllowed, NotVisible
from webapp.webhooks import service
from webapp.webhooks.models import Delivery, Webhook
from webapp.webhooks.service import change_webhook, end_webhook, make_webhook, send_again, send_test, webhooks_of

URL = "https://example.org/hook"


def test_the_secret_is_told_once_and_stored_nowhere(people: People) -> None:
    with command_line():
        made, secret = make_webhook(people.owner, people.project, URL, ["run.failed", "run.done", "run.failed"])
    assert made.events == ["run.done", "run.failed"] and secret.startswith("whsec_")
    assert secret not in repr(list(Webhook.objects.values()))
    logged = Change.objects.get(content_type__model="webhook").changes
    assert set(logged) == {"project", "url", "events", "active"} and secret not in repr(logged)


@pytest.mark.parametrize(("who", "error"), [("editor", NotAllowed), ("viewer", NotAllowed), ("stranger", NotVisible)])
def test_only_maintainers_look_after_them(people: People, who: str, error: type[Exception]) -> None:
    made, _ = make_webhook(people.owner, people.project, URL, ["run.done"])
    delivery, person = send_test(people.owner, made.pk), getattr(people, who)
    for act in (
        lambda: make_webhook(person, people.project, URL, ["run.done"]),
        lambda: webhooks_of(person, people.project),
        lambda: change_webhook(person, made.pk, active=False),
        lambda: end_webhook(person, made.pk),
        lambda: send_test(person, made.pk),
        lambda: service.deliveries_of(person, made.pk),
        lambda: send_again(person, made.pk, delivery.pk),
    ):
        with pytest.raises(error):
            act()
    assert Webhook.objects.get().active and Delivery.objects.count() == 1


@pytest.mark.parametrize("events", [[], ["run.begun"], ["run.done", "ping"]])
def test_events_that_there_are_not_are_refused(people: People, events: list[str]) -> None:
    with pytest.raises(ProblemError, match=r"run\.infeasible"):
        make_webhook(people.owner, people.project, URL, events)


def test_a_delivery_of_another_webhook_is_not_sent(people: People) -> None:
    first, second = (make_webhook(people.owner, people.project, URL, ["run.done"])[0] for _ in range(2))
    delivery = send_test(people.owner, first.pk)
    with pytest.raises(NotVisible):
        send_again(people.owner, second.pk, delivery.pk)
    with pytest.raises(NotVisible):
        send_again(people.owner, first.pk, "x")


def test_nothing_is_sent_by_hand_to_what_is_off(people: People) -> None:
    made, _ = make_webhook(people.owner, people.project, URL, ["run.done"])
    delivery = send_test(people.owner, made.pk)
    change_webhook(people.owner, made.pk, active=False)
    for act in (lambda: send_test(people.owner, made.pk), lambda: send_again(people.owner, made.pk, delivery.pk)):
        with pytest.raises(ProblemError, match="switched on"):
            act()


def test_a_project_has_so_many_and_no_more(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_WEBHOOKS", 1)
    made, _ = make_webhook(people.owner, people.project, URL, ["run.done"])
    with pytest.raises(ProblemError, match="at most 1"):
        make_webhook(people.owner, people.project, URL, ["run.done"])
    end_webhook(people.owner, made.pk)
    make_webhook(people.owner, people.project, URL, ["run.done"])


def test_a_few_tests_wait_for_their_turn_and_no_more(people: People) -> None:
    made, _ = make_webhook(people.owner, people.project, URL, ["run.done"])
    for _ in range(service.MOST_TESTS):
        send_test(people.owner, made.pk)
    with pytest.raises(ProblemError, match="at most 3 tests"):
        send_test(people.owner, made.pk)
    Delivery.objects.filter(pk=Delivery.objects.earliest("pk").pk).update(attempts=1)
    send_test(people.owner, made.pk)
