"""Workers for administrators: capabilities, runs, start, and recent faults of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from webapp.runs.models import Run, WorkerBeat
from webapp.runs.queue.workers import drain, live_workers
from webapp.teams.permissions import Action, NotAllowed, Principal, may

MOST_ERRORS = 20


@dataclass(frozen=True)
class WorkerLine:
    """One worker.

    Attributes:
        beat: its last sign of life. alive: whether that was within the last seconds.
        runs: runs that it computes now.
    """

    beat: WorkerBeat
    alive: bool
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class ErrorLine:
    """An attempt that ended badly: the run, the worker's name, and why."""

    run: Run
    worker: str
    attempt: int
    reason: str
    at: datetime | None


def worker_lines(person: Principal) -> list[WorkerLine]:
    """Return every worker seen in the last minute, by name. Raises NotAllowed for anybody but administrators."""
    _require_administrator(person)
    alive = {beat.name for beat in live_workers()}
    at_work: dict[str, list[Run]] = {}
    running = Run.objects.filter(status=Run.Status.RUNNING).select_related("project", "owner")
    for run in running.only(
        "title", "started", "fraction", "lease_owner", "engine", "project__title", "owner__username"
    ):
        at_work.setdefault(run.lease_owner, []).append(run)
    beats = WorkerBeat.objects.order_by("name")
    return [WorkerLine(beat, beat.name in alive, tuple(at_work.get(beat.name, ()))) for beat in beats]


def last_errors(person: Principal) -> list[ErrorLine]:
    """Return the errors of recent attempts, of failed runs and of runs that continue in another attempt, newest first.

    Raises:
        NotAllowed: as `worker_lines`.
    """
    _require_administrator(person)
    failed = Run.objects.filter(status=Run.Status.FAILED).order_by(F("finished").desc(nulls_last=True))
    again = Run.objects.filter(status__in=(Run.Status.QUEUED, Run.Status.RUNNING), attempt__gt=1).order_by("-pk")
    found = []
    for runs in (again, failed):
        for run in (each for each in runs.select_related("project")[:MOST_ERRORS] if not each.imported):
            found += [_error(run, reason) for reason in reversed(run.attempt_reasons)]
    return found[:MOST_ERRORS]


def set_draining(person: Principal, name: str, *, draining: bool) -> bool:
    """Let a worker finish its runs and take no other, or take runs again. Return whether there is such a worker.

    Raises:
        NotAllowed: as `worker_lines`.
    """
    _require_administrator(person)
    return drain(name, draining=draining)


def _error(run: Run, reason: dict[str, object]) -> ErrorLine:
    attempt = reason.get("attempt")
    return ErrorLine(
        run,
        str(reason.get("worker") or "–"),
        attempt if isinstance(attempt, int) else run.attempt,
        str(reason.get("reason") or ""),
        run.finished,
    )


def _require_administrator(person: Principal) -> None:
    if not may(person, Action.ADMINISTER):
        raise NotAllowed("Only an administrator of the site may do this.")
