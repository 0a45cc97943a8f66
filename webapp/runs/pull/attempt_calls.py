"""The site's side of pull workers: runs to take, and what a worker stores of one attempt. Whatever it sends is checked."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa
from django.db.models import Q, TextField
from django.db.models.functions import Cast
from django.db.models.lookups import Exact
from pydantic import NonNegativeFloat, PositiveInt, ValidationError, validate_call

from engines.contract.designs import table_from_bytes
from engines.contract.encoding.result_json import result_from_bytes
from engines.contract.engine import Infeasibility, LogLevel, Step
from engines.contract.errors import EngineError, ProblemError
from engines.registry import engine_names, get_engine
from engines.running.cluster import fingerprint
from engines.running.computing_clock import ComputingClock
from engines.running.driver import check_step
from engines.running.runner.frame_parts import unpack_designs
from engines.running.runner.protocol import StepFrame
from engines.running.runner.wire import decode_body
from webapp import VERSION
from webapp.runs.errors import FencedOutError, OtherVersionError
from webapp.runs.models import DesignChunk, Run, RunFile
from webapp.runs.queue import claim
from webapp.runs.queue.workers import beat, forget, is_draining
from webapp.runs.storage.lease import FencingToken
from webapp.runs.worker.database_access import DatabaseAccess
from webapp.teams.permissions import Action, NotVisible, Principal, limits_of
from webapp.teams.visibility import projects_where

SWEEP_EVERY_S = 1.0
MOST_COUNTED = 1000
_PAGE_BYTES = 8 * 1024 * 1024  # of designs in one answer
_OWNER_LETTERS = 200
_swept = [0.0]


@dataclass(frozen=True)
class WorkerFacts:
    """A worker, as it describes itself.

    Attributes:
        name: name of its machine and process.
        release, python: its versions, for people; `code` is the fingerprint that results depend on.
        slots, busy: runs at the same time, and now.
        abilities: as `Offer.abilities`. engines: those that are installed there.
    """

    name: str
    release: str
    python: str
    code: str
    slots: int
    busy: int
    abilities: Sequence[str]
    engines: Sequence[str]


def take(person: Principal, facts: WorkerFacts) -> FencingToken | None:
    """Note a worker's sign of life and take the next run for it, of the projects of its token.

    Raises:
        OtherVersionError: its results could differ from those of the site's own workers.
    """
    owner, offer = owner_of(person, facts.name), _offer(person, facts)
    beat(owner, facts.slots, facts.busy, offer)
    if time.monotonic() - _swept[0] >= SWEEP_EVERY_S:  # the site may have no worker of its own
        _swept[0] = time.monotonic()
        claim.sweep()
    return None if is_draining(owner) else claim.claim_next(owner, offer)


def waiting(person: Principal, facts: WorkerFacts) -> int:
    """Return the number of runs that such a worker could take now, at most `MOST_COUNTED`. Raises as `take`."""
    return claim.eligible(_offer(person, facts))[:MOST_COUNTED].count()


def _offer(person: Principal, facts: WorkerFacts) -> claim.Offer:
    if facts.code != fingerprint():
        python = "{}.{}".format(*sys.version_info[:2])
        raise OtherVersionError(facts.release, facts.python, VERSION, python)
    lacking = set(engine_names()) - set(facts.engines)
    # A run that measures on a device while it searches asks the database.
    among = _runs_of(person) & Q(Exact(Cast("measure", TextField()), "{}")) & ~Q(engine__in=lacking)
    return claim.Offer(frozenset(facts.abilities), among=among)


def leave(person: Principal, name: str) -> None:
    """Remove the sign of life of a worker that ends."""
    forget(owner_of(person, name))


def owner_of(person: Principal, name: str) -> str:
    """Return the name of the worker in leases, which binds writes to its token."""
    ending = _ending(person)
    return name[: _OWNER_LETTERS - len(ending)] + ending


def _ending(person: Principal) -> str:
    limits = limits_of(person)
    return f" (token {limits.token if limits else 0})"


def _runs_of(person: Principal) -> Q:
    """Return the runs that a worker's token may take: its project's, or its user's; an administrator's token takes all."""
    limits = limits_of(person)
    if (
        limits is not None
        and limits.project is None
        and Action.WORK in limits.actions
        and getattr(person, "is_staff", False)
    ):
        return Q()
    return Q(project__in=projects_where(person, Action.WORK).values("pk"))


class AttemptCalls:
    """The calls of a worker for one attempt that it holds. Every store may be repeated.

    Raises:
        NotVisible: the run is none of the token's.
        FencedOutError: another attempt has the run, or it ended.
    """

    def __init__(self, person: Principal, run_id: int, attempt: int) -> None:
        """Check the worker's right to the attempt."""
        columns = ("attempt", "status", "wish", "lease_owner")
        row = Run.objects.filter(_runs_of(person), pk=run_id).values_list(*columns).first()
        if row is None:
            raise NotVisible(f"There is no run {run_id} here.")
        holds = row[1] == Run.Status.RUNNING and row[3].endswith(_ending(person))
        if row[0] != attempt or not (holds or row[1] == Run.Status.DONE):
            raise FencedOutError(run_id, attempt)
        self.stop_wished = row[2] == Run.Wish.STOP
        self._owner = row[3]
        self._store = DatabaseAccess(FencingToken(run_id, attempt))

    def answer(self, call: str, computed_s: float | None, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to one of `CALLS`.

        Raises:
            ProblemError: the values are not those of the call.
        """
        if call not in CALLS:
            raise ProblemError("call", call, f"one of {', '.join(CALLS)}")
        if computed_s is not None:
            self._store.clock = ComputingClock(before_s=computed_s)
        try:
            return dict(CALLS[call](self, **values) or {})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            field = ".".join(map(str, first["loc"])) or "body"
            raise ProblemError(field, "another value", first["msg"]) from error

    # -- calls: the values are checked by their types ------------------------------------------------------------------

    @validate_call
    def assignment(self) -> dict[str, Any]:
        """Return the run with its documents."""
        return asdict(self._store.assignment())

    @validate_call
    def rewind(self) -> dict[str, Any]:
        """Delete what came after the last checkpoint; return it, with how far the run is stored."""
        checkpoint = self._store.rewind_to_checkpoint()
        return {"checkpoint": checkpoint, **asdict(self._store.position), "log_number": self._store.log_number}

    @validate_call
    def designs(self, after: int) -> dict[str, Any]:
        """Return some of the stored designs, those after so many; nothing where there are no more."""
        rows = DesignChunk.objects.filter(run_id=self._store.fencing_token.run_id, number__gt=after).order_by("number")
        chunks, size = [], 0
        for count, number, scalars, decisions in rows.values_list("count", "number", "scalars", "decisions").iterator(
            1
        ):
            chunks.append({"count": count, "scalars": bytes(scalars), "decisions": bytes(decisions)})
            after, size = number, size + len(scalars) + len(decisions)
            if size >= _PAGE_BYTES:
                break
        return {"chunks": chunks, "after": after}

    @validate_call
    def step_ends(self) -> dict[str, Any]:
        """Return the number of designs after each step."""
        return {"ends": self._store.step_ends()}

    @validate_call
    def step(
        self,
        number: PositiveInt,
        frame: bytes,
        hypervolume: float | None,
        reference: tuple[float, ...] | None,
        curve: dict[int, float] | None,
    ) -> None:
        """Append a step; nothing where it is stored."""
        step = decode_body(frame)
        if not isinstance(step, StepFrame):
            raise ProblemError("frame", step.kind, "a step")
        self._check(step)
        store = self._store
        with store.fencing_token.transaction():
            store.take_over()
            if number <= store.position.step_number:
                return
            if number != store.position.step_number + 1:
                raise ProblemError("number", number, f"{store.position.step_number + 1}, the next step")
            store.store_step(number, step, hypervolume, reference, _Curve(reference, curve) if curve else None)

    @validate_call
    def curve(self, reference: tuple[float, ...] | None, curve: dict[int, float]) -> None:
        """Store the curve by a reference point that has moved."""
        self._store.measure_again(_Curve(reference, curve))

    @validate_call
    def log(self, first: PositiveInt, lines: list[tuple[LogLevel | str, str]]) -> None:
        """Append lines of the log, the first of them with that number."""
        self._store.log_number = first - 1
        self._store.store_log([(level[:10], text) for level, text in lines])

    @validate_call
    def platform(self, facts: dict[str, Any]) -> None:
        """Record interpreter, libraries and machine."""
        self._store.note_platform(facts)

    @validate_call
    def renew(self, slots: PositiveInt, busy: int, abilities: list[str]) -> None:
        """Extend the lease; a sign of life as well."""
        self._store.renew()
        beat(self._owner, slots, busy, claim.Offer(frozenset(abilities)))

    @validate_call
    def history(self, reason: str, machine: bool) -> dict[str, Any]:
        """Return the attempts, the present one ended for a reason."""
        return asdict(self._store.history(reason, machine))

    @validate_call
    def documents(self) -> dict[str, Any]:
        """Store the run's documents in the catalogue."""
        return {"lines": self._store.store_documents()}

    @validate_call
    def explanation(self, number: int, content: bytes) -> None:
        """Store what explains a design of the run."""
        self._store.store_explanation(number, content)

    @validate_call
    def finish(self, infeasible: Infeasibility | None) -> None:
        """Mark the run as done."""
        self._store.finish(infeasible)

    @validate_call
    def stop(self) -> None:
        """Mark the run as stopped."""
        self._store.stop()

    @validate_call
    def fail(self, detail: dict[str, Any], reasons: list[dict[str, Any]]) -> None:
        """Mark the run as failed."""
        self._store.fail(detail, reasons)

    @validate_call
    def requeue(
        self, reasons: list[dict[str, Any]] | None, forgive: bool, estimated_s: NonNegativeFloat | None
    ) -> None:
        """Give the run back to the queue."""
        self._store.requeue(reasons, forgive, estimated_s)

    @validate_call
    def put_file(self, data: bytes) -> dict[str, Any]:
        """Store a file of the engine."""
        return {"sha256": self._store.files.put(data)}

    @validate_call
    def get_file(self, key: str) -> dict[str, Any]:
        """Return a file by its SHA-256; null where the run has none."""
        try:
            return {"data": self._store.files.get(key)}
        except KeyError:
            return {"data": None}

    @validate_call
    def lookup_file(self, name: str) -> dict[str, Any]:
        """Return a file by its name; null where there is none."""
        return {"data": self._store.files.lookup(name)}

    @validate_call
    def keep_file(self, name: str, data: bytes) -> None:
        """Keep a file under a name."""
        self._store.files.keep(name, data)

    def _check(self, frame: StepFrame) -> None:
        """Hold the step to the contract that the driver of a run checks where the site runs the engine itself.

        Raises:
            ProblemError: it breaks the contract, or names a file that the run does not have.
        """
        run = Run.objects.only("engine").get(pk=self._store.fencing_token.run_id)
        try:
            for chunk in frame.designs:
                for data in (chunk.scalars, chunk.decisions):
                    table_from_bytes(data).validate(full=True)
            designs = unpack_designs(frame.designs)
            results = tuple(result_from_bytes(each.content) for each in frame.results)
            step = Step(
                frame.fraction, frame.message, frame.metrics, designs, results, (), frame.checkpoint, frame.infeasible
            )
            check_step(step, tuple(each.name for each in get_engine(run.engine).quantities), 0.0)
            if sum(chunk.count for chunk in frame.designs) != (0 if designs is None else len(designs)):
                raise ProblemError("frame", "another count", "chunks that count their designs")
        except (EngineError, pa.ArrowInvalid, ValueError, KeyError, TypeError) as error:
            raise ProblemError("frame", f"{error!r:.300}", "a step as the runner of a run makes it") from error
        wanted = {entry.sha256 for entry in frame.files}
        if wanted - set(RunFile.objects.filter(run=run, blob_id__in=wanted).values_list("blob_id", flat=True)):
            raise ProblemError("frame", "an unknown file", "files that the run put before")


@dataclass(frozen=True)
class _Curve:
    """A curve as a worker computed it: count of designs -> hypervolume."""

    reference: tuple[float, ...] | None
    volumes: Mapping[int, float]

    def hypervolume_after(self, designs: int) -> float:
        return self.volumes.get(designs, 0.0)


CALLS = {
    each.__name__: each
    for each in (
        AttemptCalls.assignment, AttemptCalls.rewind, AttemptCalls.designs, AttemptCalls.step_ends, AttemptCalls.step,
        AttemptCalls.curve, AttemptCalls.log, AttemptCalls.platform, AttemptCalls.renew, AttemptCalls.history,
        AttemptCalls.documents, AttemptCalls.explanation, AttemptCalls.finish, AttemptCalls.stop, AttemptCalls.fail,
        AttemptCalls.requeue, AttemptCalls.put_file, AttemptCalls.get_file, AttemptCalls.lookup_file, AttemptCalls.keep_file,
    )
}  # fmt: skip
