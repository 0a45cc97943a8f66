"""Senders of the messages in the outbox: each is sent at least once, never by two at a time; a project has at most two senders."""

from __future__ import annotations

import logging
import random
import time
from datetime import timedelta

from django.conf import settings
from django.db.models import Case, Count, Exists, F, OuterRef, QuerySet, When
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from webapp.runs.storage.lease import bring_back, from_now
from webapp.teams.models import Project
from webapp.teams.row_locks import row_lock
from webapp.teams.secret_texts import digest_of
from webapp.webhooks.connections import Answer, post
from webapp.webhooks.models import Delivery, Webhook
from webapp.webhooks.notices import tell_given_up
from webapp.webhooks.signing import secret_of, signature

logger = logging.getLogger(__name__)

MOST_ATTEMPTS, MOST_SENDERS = 8, 2
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 6 * 3600.0
_MORE_OR_LESS = 0.25
# Longer than any attempt takes (`connections.ALL_S`): a sender that died loses its message after that.
HELD_S = 60.0
USER_AGENT = "Paretoscope-Webhooks/1"


def deliver_next() -> bool:
    """Send the next message; return whether there was one."""
    delivery = _take()
    if delivery is None:
        _bring_back()
        return False
    try:
        answer = _send(delivery)
    except Exception:  # whatever a receiver thinks of: the message must not come back for ever
        logger.exception("%s could not be sent.", delivery)
        answer = Answer(None, "", "It could not be sent; the site's log says why.", 0)
    settle(delivery, answer)
    return True


def wait_s(attempts: int) -> float:
    """Return the seconds until the next attempt, after so many: four times as many each time, up to six hours, ± a quarter."""
    return min(FIRST_WAIT_S * 4.0 ** (attempts - 1), LONGEST_WAIT_S) * random.uniform(
        1.0 - _MORE_OR_LESS, 1.0 + _MORE_OR_LESS
    )


def _bring_back() -> None:
    """Shorten waits after the clock was set back, so that no message waits until it catches up."""
    waiting = Delivery.objects.filter(status=Delivery.Status.WAITING)
    bring_back(waiting, "held_until", HELD_S)
    bring_back(waiting.filter(attempts=0), "due", 0.0)
    bring_back(waiting, "due", LONGEST_WAIT_S * (1.0 + _MORE_OR_LESS))


def settle(delivery: Delivery, answer: Answer) -> None:
    """Store the result of the attempt for which `delivery` was claimed, unless another sender has claimed it since."""
    delivered = not answer.trouble
    over = delivered or delivery.attempts >= MOST_ATTEMPTS
    status = Delivery.Status.WAITING
    if over:
        status = Delivery.Status.DELIVERED if delivered else Delivery.Status.FAILED
    stored = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts, status=Delivery.Status.WAITING).update(
        status=status,
        held_until=None,
        due=F("due") if over else from_now(wait_s(delivery.attempts)),
        answer_status=answer.status,
        answer_start=answer.start,
        trouble=answer.trouble,
        took_ms=answer.took_ms,
    )
    if stored and delivered:
        Webhook.objects.filter(pk=delivery.webhook_id, failing_since__isnull=False).update(failing_since=None)
    elif stored:
        _note_failure(delivery.webhook)


def _waiting() -> QuerySet[Delivery]:
    """Return what may be sent now to addresses without a sender: those that answer come first, then projects without a sender."""
    held = Delivery.objects.filter(status=Delivery.Status.WAITING, held_until__gt=Now())
    senders = dict(held.order_by().values_list("webhook__project").annotate(Count("pk")))
    full = [project for project, count in senders.items() if count >= MOST_SENDERS]
    failing = Case(When(webhook__failing_since=None, then=0), default=1)
    # With 0, which no project has: PostgreSQL does not sort by what is the same for all.
    served = Case(When(webhook__project__in=[0, *senders], then=1), default=0)
    return (
        Delivery.objects.filter(status=Delivery.Status.WAITING, due__lte=Now(), webhook__active=True)
        .filter(~Exists(held.filter(webhook=OuterRef("webhook"))))
        .exclude(webhook__project__in=full)
        .order_by(failing, served, "due", "pk")
    )


def _take() -> Delivery | None:
    for found in _waiting().select_related("webhook", "webhook__project")[:5]:
        with row_lock(Project, found.webhook.project_id):
            # Looked at again: another sender may have begun on this message, its address or its project.
            same = _waiting().filter(pk=found.pk, attempts=found.attempts)
            if same.update(attempts=F("attempts") + 1, held_until=from_now(HELD_S), tried=Now()):
                found.attempts += 1
                return found
    return None


def _send(delivery: Delivery) -> Answer:
    secret = secret_of(delivery.webhook.salt)
    if digest_of(secret) != delivery.webhook.digest:
        logger.error("SECRET_KEY is another one than when %s was made: it cannot be signed for.", delivery.webhook)
        return Answer(None, "", "SECRET_KEY of the site has changed: make this webhook again.", 0)
    body, now = delivery.body.encode(), int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "webhook-id": delivery.identifier,
        "webhook-timestamp": str(now),
        "webhook-signature": signature(secret, delivery.identifier, now, body),
    }
    return post(delivery.webhook.url, body, headers)


def _note_failure(hook: Webhook) -> None:
    Webhook.objects.filter(pk=hook.pk).update(failing_since=Coalesce("failing_since", Now()))
    since = timezone.now() - timedelta(days=settings.PARETOSCOPE_WEBHOOK_DAYS)
    off = Webhook.objects.filter(pk=hook.pk, active=True, failing_since__lt=since)
    if off.update(active=False, given_up=Now()):
        logger.warning("%s has failed for %s days and was switched off.", hook, settings.PARETOSCOPE_WEBHOOK_DAYS)
        tell_given_up(hook)
