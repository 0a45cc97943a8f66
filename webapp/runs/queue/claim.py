"""Claims of runs: a run is queued or its lease has expired, the worker meets its needs, and it has attempts left.

`webapp.runs.queue.fair_queue` decides which is next. SQLite decides in an IMMEDIATE transaction, PostgreSQL with SKIP LOCKED; both
then update on condition that nothing has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from engines.running.time_limits import seconds_of
from webapp.runs.models import Run
from webapp.runs.queue.fair_queue import next_in_turn
from webapp.runs.signals import run_ended
from webapp.runs.storage.lease import LEASE_S, FencingToken, bring_back, from_now

MAX_ATTEMPTS_WITHOUT_CHECKPOINT = 3
SHORT_RUN_S = 60.0
_KEPT_REASONS = 20
# By its estimate, or because no more of its time limit is left; `is_short` is the same of one run.
_SHORT = Q(estimated_s__lte=SHORT_RUN_S) | Q(computed_s__gte=F("stop_after_minutes") * 60.0 - SHORT_RUN_S)


@dataclass(frozen=True)
class Offer:
    """The capabilities that a worker offers.

    Attributes:
        abilities: out of "torch", "gpu", "data".
        short_only: leaves runs alone whose estimate is over a minute, so that a short one never waits behind long ones.
        among: the only runs that it takes.
    """

    abilities: frozenset[str] = frozenset()
    short_only: bool = False
    among: Q = field(default_factory=Q)

    def needs_met(self) -> list[str]:
        """Return every value of `Run.needs` that this offer meets."""
        names = sorted(self.abilities)
        return [",".join(some) for size in range(len(names) + 1) for some in combinations(names, size)]


def is_short(run: Run) -> bool:
    """Return whether workers reserved for short runs claim this run."""
    limit_s = seconds_of(run.stop_after_minutes)
    return run.estimated_s <= SHORT_RUN_S or (limit_s is not None and run.computed_s >= limit_s - SHORT_RUN_S)


def claim_next(owner: str, offer: Offer) -> FencingToken | None:
    """Take the next eligible run for `owner`; None if there is none."""
    if not eligible(offer).exists():  # a plain read: an idle worker never takes SQLite's one write lock
        return None
    with transaction.atomic():
        run = next_in_turn(queued(offer), left_behind(offer))
        return None if run is None else _take(run, owner)


def claim_created(owner: str, run: Run) -> FencingToken:
    """Take a run just created, within the transaction that creates it, so that no worker ever sees it waiting."""
    fencing_token = _take(run, owner)
    if fencing_token is None:
        raise RuntimeError(f"Run {run.pk} was taken within the transaction that created it.")
    return fencing_token


def claim_this(owner: str, run_id: int) -> FencingToken | None:
    """Claim one queued run; return None if it is claimed by another worker or no longer queued."""
    with transaction.atomic():
        run = Run.objects.select_for_update(of=("self",)).filter(pk=run_id, status=Run.Status.QUEUED).first()
        return None if run is None else _take(run, owner)


def eligible(offer: Offer) -> QuerySet[Run]:
    """Return the runs that a worker with `offer` may take now."""
    return queued(offer) | left_behind(offer)


def queued(offer: Offer) -> QuerySet[Run]:
    """Return the runs that are queued: asked without the lease of the others, which would have every row read next to the index."""
    return _for(offer).filter(status=Run.Status.QUEUED)


def left_behind(offer: Offer) -> QuerySet[Run]:
    """Return the runs whose worker went away."""
    return _for(offer).filter(status=Run.Status.RUNNING, lease_expires__lt=Now())


def _for(offer: Offer) -> QuerySet[Run]:
    runs = Run.objects.filter(
        offer.among,
        wish=Run.Wish.RUN,
        attempts_without_checkpoint__lt=MAX_ATTEMPTS_WITHOUT_CHECKPOINT,
        needs__in=offer.needs_met(),
    )
    return runs.filter(_SHORT) if offer.short_only else runs


def sweep() -> int:
    """End queued or abandoned runs that no worker may claim: stop requests without a worker, and lost last attempts.

    Leases from before the clock was set back end in time, too.

    Returns:
        how many were ended.
    """
    bring_back(Run.objects.filter(status=Run.Status.RUNNING), "lease_expires", LEASE_S)
    # A stop may be wished in the moment in which a keeper gives the run back.
    waiting = Run.objects.filter(status=Run.Status.QUEUED, wish=Run.Wish.STOP)
    ended = waiting.update(status=Run.Status.STOPPED, finished=Now()) if waiting.exists() else 0
    expired = Run.objects.filter(status=Run.Status.RUNNING, lease_expires__lt=Now())
    hopeless = Q(wish=Run.Wish.STOP) | Q(attempts_without_checkpoint__gte=MAX_ATTEMPTS_WITHOUT_CHECKPOINT)
    for run in expired.filter(hopeless):
        ended += _end(expired, run)
    return ended


def _end(expired: QuerySet[Run], run: Run) -> int:
    ending = _ending(run)
    with transaction.atomic():
        ended = expired.filter(pk=run.pk, attempt=run.attempt).update(
            attempt=F("attempt") + 1, lease_owner="", lease_expires=None, finished=Now(), **ending
        )
        if ended and ending["status"] == Run.Status.FAILED:
            run_ended.send(Run, run_id=run.pk)
    return ended


def reasons_with(run: Run, reason: str, machine: bool = False) -> list[dict[str, Any]]:
    """Return the run's reasons with one more for its present attempt; the last twenty.

    `machine` marks one that is the machine's.
    """
    told: dict[str, Any] = {"attempt": run.attempt, "worker": run.lease_owner, "reason": reason}
    return [*run.attempt_reasons, told | ({"machine": True} if machine else {})][-_KEPT_REASONS:]


def met_machine_only(run: Run) -> bool:
    """Return whether as many attempts in a row as are kept ended by the machine's fault, so that the next ones count after all."""
    reasons = run.attempt_reasons
    return len(reasons) >= _KEPT_REASONS and all(reason.get("machine") for reason in reasons)


def out_of_attempts(run: Run) -> bool:
    """Return whether the present attempt was the last one without a checkpoint."""
    return run.attempts_without_checkpoint >= MAX_ATTEMPTS_WITHOUT_CHECKPOINT


def poison_detail(reasons: list[dict[str, Any]]) -> dict[str, Any]:
    """Return `outcome_detail` of a run that failed for want of progress."""
    text = (
        f"{MAX_ATTEMPTS_WITHOUT_CHECKPOINT} attempts in a row ended without a new checkpoint, so the run is "
        "not retried automatically."
    )
    return {"kind": "attempts", "text": text, "reasons": reasons}


def _ending(run: Run) -> dict[str, Any]:
    if run.wish == Run.Wish.STOP:
        return {"status": Run.Status.STOPPED}
    reasons = reasons_with(run, _vanished(run))
    return {
        "status": Run.Status.FAILED,
        "outcome": Run.Outcome.ERROR,
        "outcome_detail": poison_detail(reasons),
        "attempt_reasons": reasons,
    }


def _take(run: Run, owner: str) -> FencingToken | None:
    changes: dict[str, Any] = {}
    if run.status == Run.Status.RUNNING:
        changes["attempt_reasons"] = reasons_with(run, _vanished(run))
    unchanged = Run.objects.filter(pk=run.pk, attempt=run.attempt, status=run.status)
    taken = unchanged.update(
        status=Run.Status.RUNNING,
        attempt=F("attempt") + 1,
        attempts_without_checkpoint=F("attempts_without_checkpoint") + 1,
        lease_owner=owner,
        lease_expires=from_now(LEASE_S),
        started=Coalesce("started", Now()),
        finished=None,
        **changes,
    )
    return FencingToken(run.pk, run.attempt + 1) if taken else None


def _vanished(run: Run) -> str:
    return f"The worker {run.lease_owner} stopped responding: its lease expired."
