"""The stored data of a read-only link."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from webapp.teams.models import Project


class ShareLink(models.Model):
    """A link that opens one shareable item without an account, until a day.

    Attributes:
        kind, number: item that it opens.
        project: project of the thing when the link was made; the link is over once the thing is elsewhere.
        made_by: it opens no more than this person may share at the time.
        digest: SHA-256 (hex) of the secret in its address, which is not stored.
        note: whom it is for, in the maker's words.
        revoked: when a person ended it; null until then.
        opened: when it was last followed, to the minute; null until then.
    """

    kind = models.CharField(max_length=12)
    number = models.BigIntegerField()
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="links")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    note = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created = models.DateTimeField(db_default=Now(), editable=False)
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True, default=None, editable=False)
    opened = models.DateTimeField(null=True, default=None, editable=False)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["kind", "number"], name="links_of_thing")]

    def __str__(self) -> str:
        return f"link to {self.kind} {self.number}"

    def opened_before(self, ago: timedelta) -> bool:
        """Return whether it was last followed longer ago than that, or never."""
        return self.opened is None or timezone.now() - self.opened > ago
