"""When the rules were last applied."""

from __future__ import annotations

from django.db import models


class LastRetention(models.Model):
    """The one row that says when the rules were last applied, so that of many workers one applies them once a day."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
