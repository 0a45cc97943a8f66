"""Tokens for scripts. Only a hash is stored: a token is shown once, when it is made."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from webapp.teams.models import Project
from webapp.teams.permissions import Action, Limits

PREFIX = "pts_"
_USE_NOTED_EVERY = timedelta(minutes=1)


class ApiToken(models.Model):
    """An API token of a user, with at most the rights of the user, reduced by its scope and project.

    Attributes:
        name: name by its owner, unique among those of the owner.
        digest: SHA-256 (hex) of the token. The token has 256 random bits, so the hash needs no salt.
        hint: the token's first characters, by which its owner recognises it.
        scope: read; run: also starts, stops and continues; write: also stores, shares, moves and deletes, and looks after
            webhooks. None looks after members. agent: measures for its project, and can do nothing else. worker: executes
            queued runs, and can do nothing else.
        project: the only project that is there for it; None is every one of its user's.
        expires: from then on it is refused; None is never.
        last_used: to the minute.
    """

    class Scope(models.TextChoices):
        """The scope of a token; each includes the one before, except those of an agent and of a worker, which are separate."""

        READ = "read"
        RUN = "run"
        WRITE = "write"
        AGENT = "agent"
        WORKER = "worker"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80, default="Token")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=12, editable=False)
    scope = models.CharField(max_length=6, choices=Scope, default=Scope.WRITE)
    project = models.ForeignKey(Project, null=True, blank=True, on_delete=models.CASCADE, related_name="api_tokens")
    created = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField(null=True, blank=True)
    last_used = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["created", "pk"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="one_token_per_user_and_name")]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…) of {self.user}"

    @classmethod
    def find(cls, text: str) -> ApiToken | None:
        """Return the stored token with that text, its user loaded with it."""
        return cls.objects.select_related("user").filter(digest=digest_of(text)).first()

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self.expires is not None and self.expires <= timezone.now()

    @property
    def limits(self) -> Limits:
        """Return the limits of the token's rights."""
        return Limits(_ACTIONS[self.scope], self.project_id, self.pk or 0)

    def note_use(self) -> None:
        """Remember that the token was used; at most one write a minute."""
        now = timezone.now()
        if self.last_used is None or now - self.last_used > _USE_NOTED_EVERY:
            type(self).objects.filter(pk=self.pk).update(last_used=now)


_READ = frozenset({Action.VIEW})
_RUN = _READ | {Action.RUN}
_ACTIONS: Mapping[str, frozenset[Action]] = {
    ApiToken.Scope.READ: _READ,
    ApiToken.Scope.RUN: _RUN,
    ApiToken.Scope.WRITE: _RUN
    | {Action.EDIT, Action.SHARE, Action.MOVE, Action.CONNECT, Action.STAR, Action.AMEND, Action.WITHDRAW},
    ApiToken.Scope.AGENT: frozenset({Action.MEASURE}),
    ApiToken.Scope.WORKER: frozenset({Action.WORK}),
}


def new_text() -> str:
    """Return the text of a new token."""
    return PREFIX + secrets.token_urlsafe(32)


def digest_of(text: str) -> str:
    """Return the SHA-256 (hex) of a token's text."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


class StartedOnce(models.Model):
    """The item that a request with an `Idempotency-Key` started: a second one with the same key gets the same item.

    Attributes:
        key: the header, unique among its user's.
        digest: SHA-256 (hex) of address and body, by which another request with the same key is distinguished.
        made: number of what was started, set in the transaction that stored it; None while the request is at work.
        since: when that request came.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    made = models.BigIntegerField(null=True)
    since = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_start_per_user_and_key")]

    def __str__(self) -> str:
        return f"{self.key} of {self.user}"


class LastWrite(models.Model):
    """The single row that `/readyz` writes to check that the database accepts writes."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
