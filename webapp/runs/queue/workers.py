"""Signs of life of the workers, and what they may take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models.functions import Now

from webapp.runs.models import Run, WorkerBeat
from webapp.runs.queue.claim import SHORT_RUN_S, Offer, is_short
from webapp.runs.storage.lease import bring_back, from_now

ALIVE_S = 5.0
KEPT_S = 60.0  # long enough to notice one that died, short enough to forget one that was replaced


@dataclass(frozen=True)
class WorkerSummary:
    """The workers of the top bar: `alive` workers of `known` in the last minute, `busy` of `slots` places taken."""

    alive: int
    known: int
    slots: int
    busy: int


def live_workers() -> list[WorkerBeat]:
    """Return the workers that gave a sign of life in the last five seconds, by name."""
    # Not one either whose last sign came before the clock was set back.
    return list(WorkerBeat.objects.filter(seen__range=(from_now(-ALIVE_S), from_now(ALIVE_S))).order_by("name"))


def worker_summary() -> WorkerSummary:
    """Return the number of workers and of their occupied slots."""
    alive = live_workers()
    known = WorkerBeat.objects.count()
    return WorkerSummary(len(alive), known, sum(beat.slots for beat in alive), sum(beat.busy for beat in alive))


def missing_for(run: Run, workers: Sequence[WorkerBeat]) -> str | None:
    """Return why none of `workers` may ever take `run`, in words; None where one may, and where there are no workers at all."""
    if not workers or any(may_take(worker, run) for worker in workers):
        return None
    needs = set(run.needs.split(",")) - {""}
    if all(worker.draining for worker in workers):
        return "takes new runs: an administrator is draining them"
    able = [worker for worker in workers if needs <= set(worker.offers.split(","))]
    if able and any(not worker.draining and worker.short_only for worker in able):
        return f"takes runs estimated at more than {SHORT_RUN_S:.0f} s"
    if able:
        return "that fits takes new runs: an administrator is draining them"
    lacking = sorted(needs.difference(*(worker.offers.split(",") for worker in workers))) or sorted(needs)
    return f"offers {' and '.join(lacking)}"


def waits_for(needs: Iterable[str], estimated_s: float, minutes: float | None = None) -> str | None:
    """Return `missing_for` of a run that is not stored yet, with its plan's needs and its time limit, among the present workers."""
    return missing_for(
        Run(needs=",".join(sorted(needs)), estimated_s=estimated_s, stop_after_minutes=minutes), live_workers()
    )


def waits_beside_idle(run: Run, workers: Sequence[WorkerBeat]) -> bool:
    """Return whether `run` waits although a worker is idle: that one is kept for short runs, or lacks what the run needs."""
    idle = [worker for worker in workers if worker.busy < worker.slots]
    return bool(idle) and not any(may_take(worker, run) for worker in idle)


def may_take(worker: WorkerBeat, run: Run) -> bool:
    """Return whether `worker` can claim `run` once it has a free slot."""
    if worker.draining:
        return False
    offer = Offer(frozenset(worker.offers.split(",")) - {""}, worker.short_only)
    return run.needs in offer.needs_met() and not (offer.short_only and not is_short(run))


def beat(name: str, slots: int, busy: int, offer: Offer) -> None:
    """Give a sign of life; forget workers that have been silent for a minute."""
    facts = {
        "seen": Now(),
        "slots": slots,
        "busy": min(busy, slots),
        "short_only": offer.short_only,
        "offers": ",".join(sorted(offer.abilities)),
    }
    # Once a second by each of them: one statement where the row is there, which it is but for the first time.
    if not WorkerBeat.objects.filter(name=name).update(**facts):
        WorkerBeat.objects.update_or_create(name=name, defaults=facts)
    bring_back(
        WorkerBeat.objects.all(), "seen", 0.0
    )  # or one that died would seem to live until the clock is there again
    silent = WorkerBeat.objects.filter(seen__lt=from_now(-KEPT_S))
    if silent.exists():  # a plain read: hundreds of workers beat, and SQLite has one write lock
        silent.delete()


def drain(name: str, *, draining: bool) -> bool:
    """Let a worker finish its runs and take no other, or take runs again. Return whether there is such a worker."""
    return bool(WorkerBeat.objects.filter(name=name).update(draining=draining))


def is_draining(name: str) -> bool:
    """Return whether that worker takes no runs for now."""
    return WorkerBeat.objects.filter(name=name, draining=True).exists()


def forget(name: str) -> None:
    """Remove the row of a worker that ends in order."""
    WorkerBeat.objects.filter(name=name).delete()
