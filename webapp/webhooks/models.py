"""Stored webhooks: their events, and every delivery, sent or to be sent."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from webapp.teams.models import Project
from webapp.teams.ordered_json import OrderedJSONField


class Event(models.TextChoices):
    """An event that a webhook reports."""

    RUN_DONE = "run.done", "Run done"
    RUN_FAILED = "run.failed", "Run failed"
    RUN_INFEASIBLE = "run.infeasible", "Run infeasible"
    STUDY_DONE = "study.done", "Study done"


# Sent on demand alone, to see whether the address answers.
PING = "ping"


class Webhook(models.Model):
    """An address that gets a message when something in a project ends.

    Attributes:
        events: out of `Event`.
        salt: the secret is made of it and of the site's `SECRET_KEY` (`webapp.webhooks.signing`), and stored nowhere.
        digest: SHA-256 (hex) of the secret, by which a worker with another `SECRET_KEY` notices that it cannot sign.
        active: whether anything is sent.
        failing_since: when the first of the attempts failed that have failed ever since; null after one that did not.
        given_up: when it was switched off by itself; null while it was not.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    events = OrderedJSONField(default=list)
    salt = models.CharField(max_length=64, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created = models.DateTimeField(db_default=Now(), editable=False)
    active = models.BooleanField(default=True)
    failing_since = models.DateTimeField(null=True, default=None, editable=False)
    given_up = models.DateTimeField(null=True, default=None, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"webhook to {self.url}"


class Delivery(models.Model):
    """A message to one webhook, stored in the transaction of the event, so that no event is lost.

    Attributes:
        identifier: stays the same however often the message is sent; receivers know it by that.
        body: the JSON text, exactly as it is signed and sent.
        attempts: number of started attempts.
        due: from then on, on the database's clock, it may be sent.
        held_until: until then a sender is at work on it; one that died loses it then.
        tried: when the last attempt began.
        answer_status, answer_start, trouble, took_ms: what became of that attempt: status and first characters of the answer, or
            why there was none; milliseconds that it took.
    """

    PROJECT_PATH = "webhook__project"

    class Status(models.TextChoices):
        """Where a delivery stands."""

        WAITING = "waiting"
        DELIVERED = "delivered"
        FAILED = "failed"

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    identifier = models.CharField(max_length=40, unique=True)
    event = models.CharField(max_length=20)
    body = models.TextField()
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(db_default=Now(), editable=False)
    due = models.DateTimeField(db_default=Now())
    held_until = models.DateTimeField(null=True, default=None)
    tried = models.DateTimeField(null=True, default=None)
    answer_status = models.PositiveIntegerField(null=True, default=None)
    answer_start = models.CharField(max_length=500, blank=True, default="")
    trouble = models.CharField(max_length=300, blank=True, default="")
    took_ms = models.PositiveIntegerField(null=True, default=None)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["due"], name="deliveries_by_turn", condition=Q(status="waiting")),
            models.Index(fields=["webhook", "-id"], name="deliveries_of_webhook"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook.url}"
