"""Rows of webhooks and deliveries."""

from __future__ import annotations

from tests.support.stored_runs import People
from webapp.webhooks.models import Delivery, Webhook
from webapp.webhooks.outbox import ping
from webapp.webhooks.service import make_webhook


def test_a_webhook_is_called_by_its_address_and_takes_its_deliveries_along(people: People) -> None:
    hook = make_webhook(people.owner, people.project, "https://example.org/hook", ["run.done"])[0]
    sent = ping(hook)
    assert str(hook) == "webhook to https://example.org/hook"
    assert str(sent) == f"{sent.event} to https://example.org/hook"
    Webhook.objects.filter(pk=hook.pk).delete()
    assert not Delivery.objects.exists()
