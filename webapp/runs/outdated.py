"""Which runs an edit of a document makes out of date."""

from __future__ import annotations

from django.db.models import QuerySet

from webapp.catalogue.models import Document
from webapp.runs.models import Run, RunInput
from webapp.teams.permissions import is_official


def outdated_runs(document: Document) -> QuerySet[Run]:
    """Return runs that pinned an older version than the newest, newest run first: of the document's project, or of all.

    A run with equal content is not out of date, whatever its version's number, nor is one that a study compares with the newest.
    """
    newest, *older = document.versions.order_by("-number").values_list("content_hash", flat=True) or [""]
    pinned = RunInput.objects.filter(kind=document.kind, slug=document.slug)
    there = Run.objects.filter(deleted__isnull=True)
    if not is_official(document):
        there = there.filter(project=document.project_id)
    found = there.filter(pk__in=pinned.filter(content_hash__in=older).values("run"))
    current = pinned.filter(content_hash=newest).values("run")
    compared = Run.objects.filter(pk__in=current, study__isnull=False).values("study")
    return found.exclude(pk__in=current).exclude(study__in=compared).order_by("-pk")
