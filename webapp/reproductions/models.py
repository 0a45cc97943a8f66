"""The stored data of reproductions: the comparisons of each run of one, never changed afterwards."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from webapp.runs.models import Run
from webapp.teams.ordered_json import OrderedJSONField


class Reproduction(models.Model):
    """Published results of one engine, computed again. Facts about the product: everybody who is signed in may see them.

    Attributes:
        engine, engine_version: the method and its version.
        versions: name -> version of every engine that was run; {} for those stored before versions were. Compared as a whole,
            so a column that can be.
        run: the run that computed it; null where a command did, or where the run is deleted.
        quick: whether only the comparisons that matter most were made.
        comparisons: `engines.reproduction.reproductions.Comparison` as mappings; what is not finite is null.
        platform: platform on which our values may depend.
        duration_s: compute time.
    """

    engine = models.CharField(max_length=80)
    engine_version = models.PositiveIntegerField()
    versions = models.JSONField(default=dict)
    run = models.OneToOneField(Run, null=True, on_delete=models.SET_NULL, related_name="reproduction")
    quick = models.BooleanField()
    comparisons = OrderedJSONField()
    platform = OrderedJSONField()
    duration_s = models.FloatField()
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-created", "-pk"]
        indexes = [models.Index(fields=["engine", "-created"], name="reproductions_of_engine")]

    def __str__(self) -> str:
        return f"Reproduction of {self.engine} {self.engine_version}, {self.created:%Y-%m-%d}"
