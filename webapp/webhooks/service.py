"""Actions of maintainers on the webhooks of their projects. Pages and REST call these."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Now

from engines.contract.errors import ProblemError
from webapp.teams.models import Project
from webapp.teams.permissions import Action, NotVisible, Principal, require, user_number
from webapp.teams.projects import is_key
from webapp.teams.row_locks import row_lock
from webapp.teams.secret_texts import digest_of
from webapp.teams.visibility import require_visible
from webapp.webhooks.models import PING, Delivery, Event, Webhook
from webapp.webhooks.outbox import ping
from webapp.webhooks.signing import secret_of
from webapp.webhooks.targets import checked_url

MOST_WEBHOOKS, MOST_TESTS = 20, 3


def webhooks_of(person: Principal, project: Project) -> QuerySet[Webhook]:
    """Return the webhooks of a project, oldest first, for its maintainers: an address may be a secret by itself.

    Raises:
        NotVisible, NotAllowed: `person` is no maintainer.
    """
    require(person, Action.CONNECT, project)
    return project.webhooks.select_related("project", "made_by")


def get_webhook(person: Principal, number: Any) -> Webhook:
    """Return one of them. Raises as `webhooks_of`."""
    found = require_visible(person, Webhook.objects.select_related("project", "made_by"), pk=number)
    require(person, Action.CONNECT, found)
    return found


def make_webhook(person: Principal, project: Project, url: str, events: Sequence[str]) -> tuple[Webhook, str]:
    """Return a new webhook and the secret that its messages are signed with, which can be told this once.

    Args:
        person: a maintainer.
        project: whose ends of runs it is told.
        url: target of the deliveries; see `targets.checked_url`.
        events: out of `Event`, one or more.

    Raises:
        NotVisible, NotAllowed: `person` is no maintainer.
        ProblemError: names the field, what was got and what is accepted.
    """
    require(person, Action.CONNECT, project)
    address, wanted = checked_url(url), checked_events(events)
    salt = secrets.token_hex(32)
    secret = secret_of(salt)
    with row_lock(Project, project.pk):
        if project.webhooks.count() >= MOST_WEBHOOKS:
            raise ProblemError(
                "url", url, f"one of at most {MOST_WEBHOOKS} webhooks per project", remedies=["End a webhook first."]
            )
        made = Webhook.objects.create(
            project=project,
            url=address,
            events=wanted,
            salt=salt,
            digest=digest_of(secret),
            made_by_id=user_number(person) or None,
        )
    return made, secret


def change_webhook(
    person: Principal, number: Any, *, events: Sequence[str] | None = None, active: bool | None = None
) -> Webhook:
    """Change its events, or switch it on or off; None leaves things as they are. Once it is on, waiting messages are sent.

    Raises:
        NotVisible, NotAllowed: as `webhooks_of`. ProblemError: no such events.
    """
    found, changed = get_webhook(person, number), []
    if events is not None:
        found.events = checked_events(events)
        changed.append("events")
    if active is not None and active != found.active:
        found.active, found.failing_since, found.given_up = active, None, None
        changed += ["active", "failing_since", "given_up"]
    if changed:
        found.save(update_fields=changed)
    return found


def end_webhook(person: Principal, number: Any) -> None:
    """Delete it with its deliveries. Raises as `webhooks_of`."""
    get_webhook(person, number).delete()


def deliveries_of(person: Principal, number: Any) -> QuerySet[Delivery]:
    """Return the sent and waiting deliveries of a webhook, newest first. Raises as `webhooks_of`."""
    return get_webhook(person, number).deliveries.select_related("webhook")


def send_test(person: Principal, number: Any) -> Delivery:
    """Send an empty message. Raises as `webhooks_of`; ProblemError: it is off, or enough tests wait for their turn."""
    found = get_webhook(person, number)
    _require_active(found)
    with row_lock(Webhook, found.pk):
        waiting = found.deliveries.filter(event=PING, status=Delivery.Status.WAITING, attempts=0).count()
        if waiting >= MOST_TESTS:
            raise ProblemError(
                "tests", waiting + 1, f"at most {MOST_TESTS} tests that wait", remedies=["Try again in a minute."]
            )
        return ping(found)


def send_again(person: Principal, number: Any, delivery: Any) -> Delivery:
    """Send a message once more, under the same identifier, whatever became of it.

    Raises:
        NotVisible, NotAllowed: as `webhooks_of`, or there is no such delivery. ProblemError: the webhook is off.
    """
    rows = deliveries_of(person, number)
    found = rows.filter(pk=delivery).first() if is_key(delivery) else None
    if found is None:
        raise NotVisible(f"This webhook has no delivery {delivery}.")
    _require_active(found.webhook)
    rows.filter(pk=found.pk).update(status=Delivery.Status.WAITING, attempts=0, due=Now(), held_until=None)
    found.refresh_from_db()
    return found


def checked_events(events: Sequence[str]) -> list[str]:
    """Return the events in the order of `Event`, each once.

    Raises:
        ProblemError: there are none, or one is unknown.
    """
    unknown = [event for event in events if event not in Event.values]
    if unknown or not events:
        raise ProblemError(
            "events", unknown[0] if unknown else list(events), f"one or more of {', '.join(Event.values)}"
        )
    return [event for event in Event.values if event in events]


def _require_active(hook: Webhook) -> None:
    if not hook.active:
        raise ProblemError("active", False, "a webhook that is switched on")
