"""Which runs an edit of a document makes out of date."""

from __future__ import annotations

from django.db.models import Max, QuerySet

from webapp.catalogue.models import Document
from webapp.runs.models import Run, RunInput


def outdated_runs(document: Document) -> QuerySet[Run]:
    """Runs of the document's project that pinned an older version than the newest, newest run first.

    A run with equal content is not out of date, whatever its version's number.
    """
    newest = document.versions.aggregate(newest=Max("number"))["newest"] or 0
    current = document.versions.filter(number=newest).values("content_hash")
    pinned = RunInput.objects.filter(kind=document.kind, slug=document.slug)
    there = Run.objects.filter(project=document.project_id, deleted__isnull=True)
    older = there.filter(pk__in=pinned.filter(version__lt=newest).values("run"))
    return older.exclude(inputs__content_hash__in=current).order_by("-pk")
