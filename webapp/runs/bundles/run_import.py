"""A run that is being imported goes into the database piece by piece, so that nobody's writes wait for long.

Until it is whole its status is "importing": it is seen, and nothing else can be done with it. Its row carries a lease, renewed with
every piece. Where the process that imports goes away, the lease runs out and workers delete what there is, piece by piece too.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet
from django.db.models.functions import Now

from webapp.runs.errors import ImportEndedError
from webapp.runs.models import Checkpoint, DesignChunk, LogLine, Run, RunFile, RunInput, RunResult, StepRecord
from webapp.runs.storage.lease import bring_back, from_now, persistently
from webapp.runs.storage.paced_writes import in_turn

IMPORT_LEASE_S = 60.0
SWEEP_FOR_S = 0.5
_LONGEST_PAUSE_S = 0.5
# How many rows of each go in one statement: a few megabytes, or some hundredths of a second.
_DELETED_AT_ONCE: tuple[tuple[type[Model], int], ...] = (
    (LogLine, 1000),
    (StepRecord, 1000),
    (DesignChunk, 1),
    (RunResult, 1),
    (RunFile, 100),
    (RunInput, 1),
    (Checkpoint, 1),
)


class PiecewiseImport:
    """Stores one imported run.

    Args:
        run: the row as it will be in the end; it is stored as one that is being imported.
        pieces: number of parts, for the share of progress.
    """

    def __init__(self, run: Run, pieces: int) -> None:
        """Store the row."""
        self._owner = f"import {uuid.uuid4().hex}"
        self._pieces, self._stored = max(pieces, 1), 0
        self._final = {name: getattr(run, name) for name in _FINAL}
        run.status, run.message = Run.Status.IMPORTING, "Importing"
        run.fraction, run.design_count, run.step_number = 0.0, 0, 0
        run.lease_owner = self._owner
        persistently(lambda: self._create(run))
        self.run = run

    def _create(self, run: Run) -> None:
        with transaction.atomic():
            run.save(force_insert=True)
            Run.objects.filter(pk=run.pk).update(lease_expires=from_now(IMPORT_LEASE_S))

    def store(self, piece: Callable[[], object]) -> None:
        """Run one short transaction, then pause as long, so that others get their turn.

        Raises:
            ImportEndedError: the run was deleted, or stood still for so long that it was given up.
        """
        began = time.monotonic()
        self._stored += 1
        persistently(lambda: self._renewed(piece, fraction=min(1.0, self._stored / self._pieces)))
        time.sleep(min(time.monotonic() - began, _LONGEST_PAUSE_S))

    def finish(self, **more: Any) -> None:
        """Mark the run as whole, with `more` fields of its row."""
        ended = {"lease_owner": "", "lease_expires": None, **self._final, **more}
        try:
            persistently(lambda: self._renewed(lambda: Run.objects.filter(pk=self.run.pk).update(**ended)))
        except ImportEndedError:
            # Nothing else ends an import but with its run: the first try was stored, and only its answer got lost.
            if not Run.objects.filter(pk=self.run.pk).exclude(status=Run.Status.IMPORTING).exists():
                raise

    def discard(self) -> None:
        """Delete what was stored, unless the run is whole already."""
        while give_up(Run.objects.filter(pk=self.run.pk)) and not delete_some(self.run.pk, SWEEP_FOR_S):
            pass

    def _renewed(self, piece: Callable[[], object], **fields: Any) -> None:
        with transaction.atomic():
            own = Run.objects.filter(pk=self.run.pk, status=Run.Status.IMPORTING, lease_owner=self._owner)
            if not own.update(lease_expires=from_now(IMPORT_LEASE_S), **fields):
                raise ImportEndedError
            piece()


_FINAL = ("status", "message", "fraction", "design_count", "step_number")


def give_up(runs: QuerySet[Run]) -> bool:
    """Take unfinished imports from their processes. Return whether there were such: they may be deleted.

    That they are is part of the update, which may have to wait: while it does, an import can renew its lease or become whole.
    """
    given_up = {"lease_owner": "", "lease_expires": Now(), "message": "The import did not end well"}
    return bool(persistently(lambda: runs.filter(status=Run.Status.IMPORTING).update(**given_up)))


def delete_some(run_id: int, seconds: float) -> bool:
    """Delete parts of a run for about so long, and the run itself once it has none. Whether it is gone."""
    end = time.monotonic() + seconds
    for model, at_once in _DELETED_AT_ONCE:
        rows = model._default_manager.filter(run=run_id)
        while numbers := list(rows.values_list("pk", flat=True)[:at_once]):
            if time.monotonic() >= end:
                return False
            in_turn(model._default_manager.filter(pk__in=numbers).delete)
    in_turn(Run.objects.filter(pk=run_id).delete)
    return True


def sweep_imports() -> bool:
    """Delete some of an import whose process went away. Whether there was one; it may take several calls."""
    importing = Run.objects.filter(status=Run.Status.IMPORTING)
    bring_back(importing, "lease_expires", IMPORT_LEASE_S)
    abandoned = importing.filter(lease_expires__lt=Now())
    run_id = abandoned.order_by("pk").values_list("pk", flat=True).first()
    if run_id is None:
        return False
    if give_up(abandoned.filter(pk=run_id)):
        delete_some(run_id, SWEEP_FOR_S)
    return True
