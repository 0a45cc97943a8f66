"""When a run that waits is likely to begin: the turns of everybody who waits, played through on the workers that are up.

An estimate: how long a run takes was learned when it was stored (`learned_times`). Runs that a person starts later, and workers
that come or go, change it.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from engines.running.time_limits import seconds_of
from webapp.runs.models import Run, WorkerBeat
from webapp.runs.queue.fair_queue import ServiceHistory, WaitingOwner, served_so_far
from webapp.runs.queue.workers import live_workers, may_take

MOST_PLAYED = 3000
_READ = (
    *("pk", "project_id", "owner_id", "priority", "needs", "estimated_s"),
    *("stop_after_minutes", "computed_s", "queued_at", "fraction", "lease_owner", "status"),
)


@dataclass(frozen=True)
class Wait:
    """How long a run is likely to wait.

    Attributes:
        before: runs that begin before it.
        seconds: until it begins.
    """

    before: int
    seconds: float


def expected_wait(run: Run, workers: Sequence[WorkerBeat] | None = None) -> Wait | None:
    """Return the estimated start of a queued run.

    Args:
        run: stored run.
        workers: active workers; looked up by default.

    Returns:
        None where no worker that is up takes it, or more than `MOST_PLAYED` runs wait.
    """
    up = [each for each in (live_workers() if workers is None else workers) if not each.draining]
    if not any(may_take(each, run) for each in up):
        return None
    queued = list(Run.objects.filter(status=Run.Status.QUEUED, wish=Run.Wish.RUN).only(*_READ)[: MOST_PLAYED + 1])
    if len(queued) > MOST_PLAYED or run.pk not in {each.pk for each in queued}:
        return None
    running = list(Run.objects.filter(status=Run.Status.RUNNING).only(*_READ))
    return _Play(up, queued, running).until(run.pk)


def left_of(run: Run) -> float:
    """Return seconds that a run is likely to compute yet, within its time limit."""
    left = run.estimated_s - run.computed_s
    if run.fraction > 0 and run.computed_s > 0:
        left = run.computed_s * (1.0 - run.fraction) / run.fraction
    limit_s = seconds_of(run.stop_after_minutes)
    return max(0.0, left if limit_s is None else min(left, limit_s - run.computed_s))


class _Play:
    """One play: slots that become free, one after the other, and whoever's turn it is then."""

    def __init__(self, workers: Sequence[WorkerBeat], queued: Sequence[Run], running: Sequence[Run]) -> None:
        self._workers = {each.name: each for each in workers}
        self._now = timezone.now()
        self._queues: dict[tuple[int, int], list[Run]] = defaultdict(list)
        for run in sorted(queued, key=lambda each: (-each.priority, each.queued_at, each.pk)):
            self._queues[run.project_id, run.owner_id].append(run)
        projects, owners = {key[0] for key in self._queues}, {key[1] for key in self._queues}
        served = served_so_far(projects, owners)
        self._at_project, self._at_owner = Counter(served.running_of_project), Counter(served.running_of_owner)
        self._project_began, self._owner_began = dict(served.project_began), dict(served.owner_began)
        self._served = ServiceHistory(self._at_project, self._at_owner, self._project_began, self._owner_began)
        self._slots: list[tuple[float, int, str, Run | None]] = []
        self._fill(running)

    def _fill(self, running: Sequence[Run]) -> None:
        """Fill the heap of slots by the time when each becomes free; compute time until then counts for its project and owner."""
        at_work: dict[str, list[Run]] = defaultdict(list)
        for run in running:
            at_work[run.lease_owner].append(run)
        for worker in self._workers.values():
            theirs = at_work[worker.name]
            for run in theirs:
                heapq.heappush(self._slots, (left_of(run), len(self._slots), worker.name, run))
            for _ in range(worker.slots - len(theirs)):
                heapq.heappush(self._slots, (0.0, len(self._slots), worker.name, None))

    def until(self, wanted: int) -> Wait | None:
        """Play until that run begins; None where nobody ever takes it."""
        before, number = 0, len(self._slots)
        while self._slots:
            free_s, _, name, ended = heapq.heappop(self._slots)
            if ended is not None:
                self._at_project[ended.project_id] -= 1
                self._at_owner[ended.owner_id] -= 1
            run = self._next_for(self._workers[name])
            if run is None:  # nothing that waits is ever for this slot
                continue
            if run.pk == wanted:
                return Wait(before, free_s)
            before, number = before + 1, number + 1
            self._begin(run, self._now + timedelta(seconds=free_s))
            heapq.heappush(self._slots, (free_s + left_of(run), number, name, run))
        return None

    def _next_for(self, worker: WorkerBeat) -> Run | None:
        first = [run for queue in self._queues.values() if (run := _first_for(worker, queue)) is not None]
        return min(first, key=self._place, default=None)

    def _place(self, run: Run) -> tuple[object, ...]:
        return (
            -run.priority,
            *self._served.turn(WaitingOwner(run.priority, run.project_id, run.owner_id, run.queued_at)),
            run.pk,
        )

    def _begin(self, run: Run, at: datetime) -> None:
        self._queues[run.project_id, run.owner_id].remove(run)
        self._at_project[run.project_id] += 1
        self._at_owner[run.owner_id] += 1
        self._project_began[run.project_id] = self._owner_began[run.owner_id] = at


def _first_for(worker: WorkerBeat, queue: Sequence[Run]) -> Run | None:
    return next((run for run in queue if may_take(worker, run)), None)
