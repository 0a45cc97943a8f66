"""The rules: what goes, after how long, and how many bytes that frees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Length
from django.utils import timezone

from webapp.api.idempotency import KEPT as KEYS_KEPT
from webapp.api.models import StartedOnce
from webapp.catalogue.models import Document
from webapp.deletions.removal import purge
from webapp.deletions.service import KEPT as DELETED_KEPT
from webapp.deletions.service import long_deleted
from webapp.retention.referenced_runs import unneeded
from webapp.runs.models import Checkpoint, DesignChunk, DocumentFile, FileBlob, Run, RunFile
from webapp.runs.storage.stored_bytes import count_again
from webapp.sharing.models import ShareLink
from webapp.teams.models import Invitation
from webapp.webhooks.models import Delivery

# Links and invitations that are over are of use for a while: who looked, who was invited.
OVER_KEPT = timedelta(days=30)


@dataclass(frozen=True)
class Removal:
    """The removal that a rule causes.

    Attributes:
        rule: name of the rule.
        words: description in one line.
        count: things.
        freed_bytes: size of the designs, checkpoints, files and messages to delete, without other rows.
    """

    rule: str
    words: str
    count: int
    freed_bytes: int = 0


def apply(*, dry_run: bool) -> Iterator[Removal]:
    """Apply all rules in sequence; yield each removal before it happens.

    Args:
        dry_run: only tell.
    """
    for rule in (_deleted, _failed_runs, _checkpoints, _deliveries, _small):
        yield from rule(dry_run)


def _deleted(dry_run: bool) -> Iterator[Removal]:
    days = float(DELETED_KEPT.days)
    gone = Run.objects.filter(pk__in=long_deleted("run", days).order_by().values("pk"))
    documents = Document.objects.filter(pk__in=long_deleted("document", days).order_by().values("pk"))
    freed = _held_bytes(gone) + _own_files_bytes(gone, documents)
    count = 0
    for removed in purge(days, dry_run=dry_run):
        count += 1
        yield Removal("deleted", removed.words, 1)
    if count:
        yield Removal("deleted", f"{count} deleted more than {DELETED_KEPT.days} days ago", 0, freed)


def _failed_runs(dry_run: bool) -> Iterator[Removal]:
    days = settings.PARETOSCOPE_KEEP_FAILED_DAYS
    if not days:
        return
    ended = Run.objects.filter(
        status__in=(Run.Status.FAILED, Run.Status.STOPPED), deleted=None, finished__lt=_ago(timedelta(days=days))
    )
    for run in list(
        unneeded(ended).select_related("project").only("title", "status", "deleted", "project__title").order_by("pk")
    ):
        only = Run.objects.filter(pk=run.pk)
        held = _held_bytes(only) + _own_files_bytes(only, Document.objects.none())
        when = f"to be removed for good in {DELETED_KEPT.days} days, {_size(held)}"
        yield Removal("failed runs", f"run {run.pk} “{run.title}” of {run.project.title}, {run.status}, {when}", 1)
        if not dry_run:
            # As a person would: it can be brought back.
            run.deleted = timezone.now()
            run.save(update_fields=["deleted"])


def _checkpoints(dry_run: bool) -> Iterator[Removal]:
    days = settings.PARETOSCOPE_KEEP_CHECKPOINTS_DAYS
    if not days:
        return
    found = Checkpoint.objects.filter(run__status=Run.Status.DONE, run__finished__lt=_ago(timedelta(days=days)))
    sized = found.annotate(bytes=Length("data")).filter(bytes__gt=0).values_list("run", "bytes").order_by("run_id")
    for number, held in list(sized):
        yield Removal("checkpoints", f"checkpoint of run {number}, which is done, {_size(held)}", 1, held)
        if not dry_run:
            # The row says after which step it was made, which provenance tells.
            Checkpoint.objects.filter(run=number, run__status=Run.Status.DONE).update(data=b"")
            count_again(number)


def _deliveries(dry_run: bool) -> Iterator[Removal]:
    old = Delivery.objects.filter(created__lt=_ago(timedelta(days=settings.PARETOSCOPE_KEEP_DELIVERIES_DAYS)))
    over = old.filter(~Q(status=Delivery.Status.WAITING) | Q(webhook__active=False))
    held = over.aggregate(total=Sum(Length("body")))["total"] or 0
    yield from _rows("deliveries", "deliveries of webhooks", over, dry_run, held)


def _small(dry_run: bool) -> Iterator[Removal]:
    over = _ago(OVER_KEPT)
    links = ShareLink.objects.filter(Q(expires__lt=over) | Q(revoked__lt=over))
    invitations = Invitation.objects.filter(Q(expires__lt=over) | Q(accepted__lt=over))
    attempts = AccessAttempt.objects.filter(attempt_time__lt=_ago(max(OVER_KEPT, settings.AXES_COOLOFF_TIME)))
    small = {
        "sessions": ("sessions that are over", Session.objects.filter(expire_date__lt=timezone.now())),
        "keys": ("Idempotency-Keys of yesterday and before", StartedOnce.objects.filter(since__lt=_ago(KEYS_KEPT))),
        "links": ("read-only links that ended over a month ago", links),
        "invitations": ("invitations that ended or were used over a month ago", invitations),
        "wrong passwords": ("counts of wrong passwords of a month ago", attempts),
    }
    for rule, (what, rows) in small.items():
        yield from _rows(rule, what, rows, dry_run)


def _rows(rule: str, what: str, rows: QuerySet[Any], dry_run: bool, held: int = 0) -> Iterator[Removal]:
    count = rows.count()
    if count:
        yield Removal(rule, f"{count} {what}" + (f", {_size(held)}" if held else ""), count, held)
        if not dry_run:
            rows.delete()


def _held_bytes(runs: QuerySet[Run]) -> int:
    """Return the bytes of designs and checkpoints of these runs."""
    chunks = DesignChunk.objects.filter(run__in=runs).aggregate(total=Sum(Length("scalars") + Length("decisions")))
    checkpoints = Checkpoint.objects.filter(run__in=runs).aggregate(total=Sum(Length("data")))
    return int((chunks["total"] or 0) + (checkpoints["total"] or 0))


def _own_files_bytes(runs: QuerySet[Run], documents: QuerySet[Document]) -> int:
    """Return the bytes of files that no other run and no other document has."""
    in_runs, in_documents = (
        RunFile.objects.filter(run__in=runs),
        DocumentFile.objects.filter(version__document__in=documents),
    )
    elsewhere = RunFile.objects.exclude(run__in=runs), DocumentFile.objects.exclude(version__document__in=documents)
    alone = FileBlob.objects.filter(Q(pk__in=in_runs.values("blob")) | Q(pk__in=in_documents.values("blob")))
    for others in elsewhere:
        alone = alone.exclude(pk__in=others.values("blob"))
    return int(alone.aggregate(total=Sum("size"))["total"] or 0)


def _ago(some: timedelta) -> Any:
    return timezone.now() - some


def _size(count: int) -> str:
    return f"{count} bytes"
