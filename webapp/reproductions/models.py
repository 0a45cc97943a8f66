"""What is stored about reproductions: the comparisons of each run of one, never changed afterwards."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now


class Reproduction(models.Model):
    """Published results of one engine beside ours. Facts about the product: everybody who is signed in may see them.

    Attributes:
        engine, engine_version: what was run.
        quick: whether only the comparisons that matter most were made.
        comparisons: `engines.reproductions.Comparison` as mappings; what is not finite is null.
        platform: what our figures may depend on.
        duration_s: how long it took.
    """

    engine = models.CharField(max_length=80)
    engine_version = models.PositiveIntegerField()
    quick = models.BooleanField()
    comparisons = models.JSONField()
    platform = models.JSONField()
    duration_s = models.FloatField()
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-created", "-pk"]
        indexes = [models.Index(fields=["engine", "-created"], name="reproductions_of_engine")]

    def __str__(self) -> str:
        return f"Reproduction of {self.engine} {self.engine_version}, {self.created:%Y-%m-%d}"
