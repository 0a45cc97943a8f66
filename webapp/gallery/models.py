"""Networks of visitors."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from webapp.teams.ordered_json import OrderedJSONField


class VisitorNetwork(models.Model):
    """A network that a visitor without an account uploaded; deleted before it is a day old.

    Attributes:
        visitor: name in the signed cookie of the visitor, the only person who sees it.
        content: the document.
        size: bytes of the content as JSON.
    """

    visitor = models.CharField(max_length=40, db_index=True)
    slug = models.SlugField(max_length=80)
    content = OrderedJSONField()
    size = models.PositiveIntegerField()
    created = models.DateTimeField(db_default=Now(), db_index=True, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["visitor", "slug"], name="one_network_of_visitor_by_name")]

    def __str__(self) -> str:
        return f"{self.slug} of a visitor"
