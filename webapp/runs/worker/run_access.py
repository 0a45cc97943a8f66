"""The place where runs are stored, as supervisors and workers need it: the database itself, or a site over HTTPS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engines.contract.engine import Document, Infeasibility, Problem, Resume
from engines.documents.problems import kept_problem
from engines.running.computing_clock import ComputingClock
from engines.running.files import FileKeeper
from engines.running.runner.protocol import StepFrame
from webapp.runs.inputs.measurement_hooks import Measurer
from webapp.runs.queue.claim import Offer
from webapp.runs.storage.convergence import Convergence
from webapp.runs.storage.lease import FencingToken
from webapp.runs.storage.store import Position


@dataclass(frozen=True)
class Assignment:
    """A run as its supervisor needs it.

    Attributes:
        engine, version, inputs, params, seed: the pinned problem.
        needs: capabilities, joined by commas.
        worker: its owner by the lease.
        memory_mb: what its plan needs. most_memory_mb: the limit of the site; None for none.
        stop_after_minutes: the time limit, the site's included. computed_s: seconds of earlier attempts.
    """

    engine: str
    version: int
    inputs: Mapping[str, Document]
    params: Mapping[str, Any]
    seed: int
    needs: str
    worker: str
    memory_mb: float
    most_memory_mb: float | None
    stop_after_minutes: float | None
    computed_s: float

    def problem(self) -> Problem[Any]:
        """Return the problem, loaded.

        Raises:
            ProblemError: the installed engine has another version, or refuses what an earlier one accepted.
        """
        return kept_problem(self.engine, self.inputs, self.params, self.seed, self.version)


@dataclass(frozen=True)
class AttemptHistory:
    """The attempts of a run: why they ended, the present one included, whether it was the last, whether machines caused all."""

    reasons: list[dict[str, Any]]
    exhausted: bool
    machine_only: bool


class RunAccess(Protocol):
    """One attempt of one run, where it is stored. Every store is fenced and numbered, and may be repeated. One thread uses it.

    Attributes:
        position: stored position of the run.
        clock: goes with every store.
        renew_every_s: pause between two renewals of the lease.
    """

    fencing_token: FencingToken
    position: Position
    clock: ComputingClock | None
    renew_every_s: float

    @property
    def files(self) -> FileKeeper:
        """The engine's own files."""

    def assignment(self) -> Assignment:
        """Return the run, with the present limits of administrators."""

    def rewind(self) -> Resume | None:
        """Delete what came after the last checkpoint and return where to continue; None = from the beginning."""

    def step_ends(self) -> list[int]:
        """Return the number of designs after each stored step, ascending."""

    def store_step(
        self,
        number: int,
        frame: StepFrame,
        hypervolume: float | None,
        reference: Sequence[float] | None,
        moved: Convergence | None = None,
    ) -> bool:
        """Append a step, as `webapp.runs.storage.store.RunStore.store_step`."""

    def measure_again(self, tracker: Convergence) -> None:
        """Store the curve by a reference point that has moved."""

    def note_platform(self, facts: Mapping[str, Any]) -> None:
        """Record interpreter, libraries and machine."""

    def store_log(self, lines: Sequence[tuple[str, str]]) -> None:
        """Append (level, text) lines."""

    def store_documents(self) -> list[tuple[str, str]]:
        """Store the run's documents in the catalogue. Return (level, text) lines about them."""

    def store_explanation(self, number: int, content: bytes) -> None:
        """Store what explains a design of the run, which is done."""

    def renew(self) -> None:
        """Extend the lease."""

    def stop_wished(self) -> bool:
        """Return whether people want the run to stop."""

    def gives_way(self, offer: Offer) -> bool:
        """Return whether a short run waits for this slot while a worker for long runs is there."""

    def measurer(self) -> Measurer | None:
        """Return the object that measures designs of the run on a device; None without measurements."""

    def history(self, reason: str, machine: bool = False) -> AttemptHistory:
        """Return the attempts, the present one ended for `reason`; `machine` marks a fault of the machine."""

    def finish(self, infeasible: Infeasibility | None) -> None:
        """Mark the run as done."""

    def stop(self) -> None:
        """Mark the run as stopped."""

    def fail(self, detail: Mapping[str, Any], reasons: Sequence[Mapping[str, Any]]) -> None:
        """Mark the run as failed."""

    def requeue(
        self,
        reasons: Sequence[Mapping[str, Any]] | None = None,
        forgive: bool = False,
        estimated_s: float | None = None,
    ) -> None:
        """Give the run back to the queue."""


class RunQueue(Protocol):
    """The queue of runs, as a worker uses it."""

    def take(self, name: str, offer: Offer) -> RunAccess | None:
        """Take the next run for the worker; None if there is none for it."""

    def has_runs(self, offer: Offer) -> bool:
        """Return whether it is worth to try `take`."""

    def beat(self, name: str, slots: int, busy: int, offer: Offer) -> None:
        """Give a sign of life; called once a second."""

    def forget(self, name: str) -> None:
        """Say that the worker ends."""
