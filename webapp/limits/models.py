"""Limits of single projects and people, in place of the site's own (docs/settings.md)."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from webapp.teams.models import Project

_HELP = "Empty: as for everybody. 0: no limit."


class OwnLimits(models.Model):
    """The differences from the site's limits; null where there is none, 0 for no limit.

    Attributes:
        run_minutes: minutes that one run may compute, all attempts together.
        run_memory_mb: MB of memory that one run may have.
        active_runs: runs that wait or compute at the same time.
        stored_mb: MB that runs and files of documents may take, what was deleted and is still kept among them.
        study_cells: runs that belong to studies and are not deleted.
    """

    run_minutes = models.PositiveIntegerField("minutes per run", null=True, blank=True, help_text=_HELP)
    run_memory_mb = models.PositiveIntegerField("memory per run (MB)", null=True, blank=True, help_text=_HELP)
    active_runs = models.PositiveIntegerField("runs waiting or computing", null=True, blank=True, help_text=_HELP)
    stored_mb = models.PositiveIntegerField("stored (MB)", null=True, blank=True, help_text=_HELP)
    study_cells = models.PositiveIntegerField("study cells in total", null=True, blank=True, help_text=_HELP)

    class Meta:
        abstract = True


class ProjectLimits(OwnLimits):
    """The limits of a project, for all its runs."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="own_limits", primary_key=True)

    class Meta:
        verbose_name_plural = "limits of projects"

    def __str__(self) -> str:
        return f"Limits of {self.project}"


class PersonLimits(OwnLimits):
    """Limits of one person, in all projects together."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="own_limits", primary_key=True
    )

    class Meta:
        verbose_name_plural = "limits of people"

    def __str__(self) -> str:
        return f"Limits of {self.person}"
