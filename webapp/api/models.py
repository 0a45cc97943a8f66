"""Tokens for scripts. Only a hash is stored: a token is shown once, when it is made."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

PREFIX = "pts_"
_USE_NOTED_EVERY = timedelta(minutes=1)


class ApiToken(models.Model):
    """A user's token; there is at most one, and making a new one ends the old one.

    Attributes:
        digest: SHA-256 (hex) of the token. The token has 256 random bits, so the hash needs no salt.
        hint: the token's first characters, by which its owner recognises it.
        last_used: to the minute.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_token")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=12, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    last_used = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return f"{self.hint}… of {self.user}"

    @classmethod
    def make(cls, user: Any) -> str:
        """Give `user` a new token in place of an older one; returns its text, which is not stored."""
        text = PREFIX + secrets.token_urlsafe(32)
        values = {"digest": digest_of(text), "hint": text[:8], "created": timezone.now(), "last_used": None}
        cls.objects.update_or_create(user=user, defaults=values)
        return text

    @classmethod
    def find(cls, text: str) -> ApiToken | None:
        """The stored token with that text, its user loaded with it."""
        return cls.objects.select_related("user").filter(digest=digest_of(text)).first()

    def note_use(self) -> None:
        """Remember that the token was used; at most one write a minute."""
        now = timezone.now()
        if self.last_used is None or now - self.last_used > _USE_NOTED_EVERY:
            type(self).objects.filter(pk=self.pk).update(last_used=now)


def digest_of(text: str) -> str:
    """SHA-256 (hex) of a token's text."""
    return hashlib.sha256(text.encode()).hexdigest()
