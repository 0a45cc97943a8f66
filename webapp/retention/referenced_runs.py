"""Runs that no retention rule removes, because a user or an item refers to them."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from engines.registry import JOBS
from webapp.annotations.models import Favourite, Note, Tag
from webapp.comparisons.models import Comparison
from webapp.reports.models import ReportVersion
from webapp.reproductions.models import Reproduction
from webapp.runs.models import Run
from webapp.sharing.models import ShareLink


def unneeded(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Return the runs without star, tag, note and living link that no study, comparison, report or reproduction has."""
    about = {"kind": "run", "number": OuterRef("pk")}
    links = ShareLink.objects.filter(**about, revoked=None, expires__gt=timezone.now())
    return (
        runs.exclude(engine__in=JOBS)
        .filter(Q(study=None) | Q(study__deleted__isnull=False))
        .filter(~Exists(links), ~Exists(Note.objects.filter(**about, deleted=None)))
        .filter(~Exists(Favourite.objects.filter(**about)), ~Exists(Tag.objects.filter(**about)))
        .filter(~Exists(Reproduction.objects.filter(run=OuterRef("pk"))))
        .exclude(pk__in={*_compared(), *_reported()})
    )


def _compared() -> Iterator[int]:
    for entries in Comparison.objects.filter(deleted=None).values_list("entries", flat=True).iterator():
        yield from (entry["run"] for entry in entries if isinstance(entry.get("run"), int))


def _reported() -> Iterator[int]:
    """Yield the runs that any version of a report names: an old one can still be opened."""
    for pins in ReportVersion.objects.filter(report__deleted=None).values_list("pins", flat=True).iterator():
        yield from map(int, pins)
