"""Runs and their queue for workers that reach the database."""

from __future__ import annotations

import time
from functools import cached_property

from django.http import Http404

from engines.contract.errors import EngineError
from webapp.limits.effective_limits import of_run
from webapp.runs.bundles.run_import import sweep_imports
from webapp.runs.inputs.measurement_hooks import Measurer, measurer_of
from webapp.runs.inputs.problems import documents_of
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.queue.workers import beat, forget, is_draining, live_workers
from webapp.runs.storage.document_files import store_documents_of
from webapp.runs.storage.explanations import store_explanation
from webapp.runs.storage.files import RunFileKeeper, sweep_contents
from webapp.runs.storage.lease import RENEW_S
from webapp.runs.storage.store import RunStore
from webapp.runs.worker.run_access import Assignment, AttemptHistory, RunAccess
from webapp.teams.visibility import NotAllowed

SWEEP_CONTENTS_EVERY_S = 600.0


class DatabaseAccess(RunStore):
    """One attempt of one run in the database: `webapp.runs.worker.run_access.RunAccess`."""

    renew_every_s = RENEW_S

    @cached_property
    def files(self) -> RunFileKeeper:
        """The engine's own files."""
        return RunFileKeeper(self.fencing_token)

    def assignment(self) -> Assignment:
        """Return the run, with the present limits of administrators: they may be lower than when it was queued."""
        run = self._run()
        allowed = of_run(run.project_id, run.owner_id)
        if allowed.minutes is not None and (run.stop_after_minutes is None or run.stop_after_minutes > allowed.minutes):
            run.stop_after_minutes = allowed.minutes
            self.fencing_token.renew(stop_after_minutes=allowed.minutes)
        return Assignment(
            run.engine, run.engine_version, documents_of(run), run.params, run.seed, run.needs, run.lease_owner,
            float(run.plan.get("memory_mb") or 0.0), allowed.memory_mb, run.stop_after_minutes, run.computed_s,
        )  # fmt: skip

    def renew(self) -> None:
        """Extend the lease. Raises FencedOutError: another attempt has the run."""
        self.fencing_token.renew(**self.time_fields())

    def stop_wished(self) -> bool:
        """Return whether people want the run to stop. Raises FencedOutError as `renew`."""
        return self.fencing_token.stop_wished()

    def gives_way(self, offer: claim.Offer) -> bool:
        """Return whether a short run waits for this slot while a worker for long runs is up."""
        waits = claim.queued(offer).exists()
        return waits and any(not each.short_only and not each.draining for each in live_workers())

    def measurer(self) -> Measurer | None:
        """Return the object that measures designs of the run on a device; None without measurements."""
        return measurer_of(self._run())

    def history(self, reason: str, machine: bool = False) -> AttemptHistory:
        """Return the attempts, the present one ended for `reason`."""
        run = self._run()
        reasons = claim.reasons_with(run, reason, machine)
        return AttemptHistory(reasons, claim.out_of_attempts(run), claim.met_machine_only(run))

    def store_documents(self) -> list[tuple[str, str]]:
        """Store the run's documents in the catalogue. The run keeps its files in any case."""
        try:
            return [("info", told) for told in store_documents_of(self.fencing_token.run_id)]
        except (EngineError, NotAllowed, Http404) as error:
            return [("warning", f"A document of the run was not stored in the catalogue: {error}")]

    def store_explanation(self, number: int, content: bytes) -> None:
        """Store what explains a design of the run, which is done."""
        store_explanation(self.fencing_token.run_id, self.fencing_token.attempt, number, content)

    def _run(self) -> Run:
        return Run.objects.get(pk=self.fencing_token.run_id)


class DatabaseQueue:
    """The queue in the database: `webapp.runs.worker.run_access.RunQueue`."""

    def __init__(self) -> None:
        """Let the first sign of life sweep contents of files."""
        self._contents_swept = -SWEEP_CONTENTS_EVERY_S

    def take(self, name: str, offer: claim.Offer) -> RunAccess | None:
        """Take the next run for the worker; None where there is none, or an administrator drains it."""
        fencing_token = None if is_draining(name) else claim.claim_next(name, offer)
        return None if fencing_token is None else DatabaseAccess(fencing_token)

    def has_runs(self, offer: claim.Offer) -> bool:
        """Return whether a run waits that a worker with `offer` may take."""
        return claim.eligible(offer).exists()

    def beat(self, name: str, slots: int, busy: int, offer: claim.Offer) -> None:
        """Give a sign of life, and end what no worker may take any more."""
        claim.sweep()
        sweep_imports()
        beat(name, slots, busy, offer)
        if time.monotonic() - self._contents_swept >= SWEEP_CONTENTS_EVERY_S:
            self._contents_swept = time.monotonic()
            sweep_contents()

    def forget(self, name: str) -> None:
        """Remove the worker's sign of life."""
        forget(name)
