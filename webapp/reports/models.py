"""The stored data of a report: every version of its text, and how what it rests on stood when that was written."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from webapp.teams.deletable import Deletable
from webapp.teams.models import Project
from webapp.teams.ordered_json import OrderedJSONField


class Report(Deletable):
    """A page of text with blocks from runs. Its versions store the text; `title` is that of the newest."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="reports")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reports")
    title = models.CharField(max_length=200)
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-created", "-pk"]
        indexes = [models.Index(fields=["project", "-created"], name="reports_of_project")]

    def __str__(self) -> str:
        return f"Report {self.pk}: {self.title}"


class ReportVersion(models.Model):
    """A text of a report; never changed.

    Attributes:
        number: from 1 on.
        text: Markdown with blocks (`webapp.reports.blocks`).
        pins: what each run that it names had found then, number of the run as text -> {"attempt", "step", "designs"}.
    """

    PROJECT_PATH = "report__project"

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    text = models.TextField()
    pins = OrderedJSONField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["report", "number"], name="one_text_per_number")]

    def __str__(self) -> str:
        return f"Version {self.number} of report {self.report_id}"
