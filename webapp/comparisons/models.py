"""The stored data of a comparison: which runs, which design of each, over which axes."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from webapp.teams.deletable import Deletable
from webapp.teams.models import Project
from webapp.teams.ordered_json import OrderedJSONField


class Comparison(Deletable):
    """Runs laid side by side under a question.

    Attributes:
        title: the question, for people.
        entries: in order, per run {"run": number, "design": number or None (its best)}. A run that is gone, or that the
            reader may not see, is left out when the comparison is read.
        axes: {"x": column, "y": column} and, where a person chose it, "scale": "log" or "linear"; {} are the usual ones.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="comparisons")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="comparisons")
    title = models.CharField(max_length=200)
    entries = OrderedJSONField(default=list)
    axes = OrderedJSONField(default=dict, blank=True)
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-created", "-pk"]
        indexes = [models.Index(fields=["project", "-created"], name="comparisons_of_project")]

    def __str__(self) -> str:
        return f"Comparison {self.pk}: {self.title}"
