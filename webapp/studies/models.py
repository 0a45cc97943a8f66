"""The stored data of a study. Its runs are ordinary runs; each knows its study and its cell (`webapp.runs.models.Run`)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from webapp.teams.deletable import Deletable
from webapp.teams.models import Project
from webapp.teams.ordered_json import OrderedJSONField


class Study(Deletable):
    """A grid of problems of one engine. Deleting a study leaves its runs.

    Attributes:
        document: the study document as checked: inputs as lists, seeds, the engine's version. It can be posted again.
        titles: slot -> slug -> title of the document when the study was made, for heads of tables.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="studies")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="studies")
    title = models.CharField(max_length=200)
    engine = models.CharField(max_length=80)
    engine_version = models.PositiveIntegerField()
    document = OrderedJSONField(default=dict)
    titles = OrderedJSONField(default=dict)
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name_plural = "studies"
        indexes = [models.Index(fields=["project", "-created"], name="studies_of_project")]

    def __str__(self) -> str:
        return f"Study {self.pk}: {self.title}"
