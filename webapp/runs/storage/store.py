"""Writes what a run produces. Every store is one fenced transaction, numbered, and may be repeated without effect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Value, When
from django.db.models.functions import Greatest, Mod, Now

from engines.contract.designs import Designs
from engines.contract.engine import Infeasibility, Resume
from engines.registry import get_engine
from engines.running.computing_clock import ComputingClock
from engines.running.runner.protocol import DesignChunk as ChunkFrame
from engines.running.runner.protocol import StepFrame
from webapp.runs.models import Checkpoint, DesignChunk, LogLine, Run, RunFile, RunResult, StepRecord
from webapp.runs.signals import run_done, run_ended, run_stopped
from webapp.runs.storage.convergence import Convergence
from webapp.runs.storage.design_chunks import (
    SMALL_CHUNK_BYTES,
    chunk_row,
    merge_small_chunks,
    small_chunks,
    stored_designs,
)
from webapp.runs.storage.json_values import clean, finite, json_safe
from webapp.runs.storage.lease import FencingToken
from webapp.runs.storage.stored_bytes import bytes_in, bytes_of

MAX_LOG_LINES = 5000
_LOG_TRIM = 250
SMALL_CHUNKS_TO_MERGE = 32
STEPS_TO_THIN = 500
NEWEST_STEPS_KEPT = 1000
OLDER_STEPS_KEPT = 2000
_UPDATED_AT_ONCE = 200  # a database takes so many values in one query


@dataclass(frozen=True)
class Position:
    """How far a run is stored: its last step, its designs, and the convergence's reference point."""

    step_number: int
    design_count: int
    reference: tuple[float, ...] | None


@dataclass
class RunStore:
    """Stores for one attempt of one run. Not for use by two threads.

    Attributes:
        clock: goes with every step and with the end; None leaves what is stored.
        log_number: number of the last line of the log.
    """

    fencing_token: FencingToken
    position: Position = field(default=Position(0, 0, None))
    clock: ComputingClock | None = None
    log_number: int = 0
    _small_chunks: int = 0
    _checkpoint_step: int = 0
    # Of what names may have been stored again since the last checkpoint, whose own content of them is kept until the next one.
    _replaced_since: set[type[RunResult] | type[RunFile]] = field(default_factory=set)
    _thinned_at: int = 0

    # -- beginning ----------------------------------------------------------------------------------------------------

    def rewind(self) -> Resume | None:
        """Delete what came after the last checkpoint and return where to continue; None = from the beginning.

        Raises:
            FencedOutError: another attempt has the run.
        """
        checkpoint = self.rewind_to_checkpoint()
        if checkpoint is None:
            return None
        # Outside of the transaction: a long read must not hold the row that people's wishes go to.
        designs = stored_designs(self.fencing_token.run_id)
        if designs is None:
            run = Run.objects.only("engine").get(pk=self.fencing_token.run_id)
            designs = Designs.empty(get_engine(run.engine).quantities)
        return Resume(checkpoint, designs)

    def rewind_to_checkpoint(self) -> bytes | None:
        """Delete like `rewind`, and return the checkpoint alone."""
        run_id = self.fencing_token.run_id
        if self._is_fresh():
            return None
        with self.fencing_token.transaction():
            checkpoint = Checkpoint.objects.filter(run_id=run_id).first()
            step = checkpoint.step_number if checkpoint else 0
            for model in (StepRecord, DesignChunk, RunResult):
                model.objects.filter(run_id=run_id, **{_step_key(model): step}).delete()
            RunFile.objects.filter(run_id=run_id, working=False, step_number__gt=step).delete()
            self.position = self._restore_run(step, checkpoint.design_count if checkpoint else 0)
            newest = LogLine.objects.filter(run_id=run_id).order_by("-number").values_list("number", flat=True).first()
            self.log_number = newest or 0
        self._checkpoint_step = step
        return None if checkpoint is None else bytes(checkpoint.data)

    def take_over(self) -> None:
        """Read how far the attempt is stored, for a process that did not store it. Call it within a transaction of the token."""
        run_id = self.fencing_token.run_id
        columns = ("step_number", "design_count", "hypervolume_reference")
        step, designs, reference = Run.objects.values_list(*columns).get(pk=run_id)
        self.position = Position(step, designs, tuple(reference) if reference else None)
        checkpoint = Checkpoint.objects.filter(run_id=run_id).values_list("step_number", flat=True).first()
        self._checkpoint_step = self._thinned_at = checkpoint or 0
        self._small_chunks = small_chunks(run_id)
        self._replaced_since = {RunResult, RunFile}

    def _is_fresh(self) -> bool:
        """Return whether nothing was ever stored: most runs have one attempt, which has nothing to look for in ten tables."""
        return Run.objects.filter(pk=self.fencing_token.run_id, attempt=1, step_number=0, design_count=0).exists()

    def _restore_run(self, step: int, design_count: int) -> Position:
        run = Run.objects.filter(pk=self.fencing_token.run_id)
        record = StepRecord.objects.filter(run_id=self.fencing_token.run_id, number=step).first()
        reference = run.values_list("hypervolume_reference", flat=True).get() if design_count else None
        run.update(
            step_number=step,
            design_count=design_count,
            fraction=record.fraction if record else 0.0,
            message=record.message if record else "",
            metrics=record.metrics if record else {},
            evaluations=record.evaluations if record else 0,
            hypervolume_reference=reference,
            stored_bytes=bytes_of(self.fencing_token.run_id),
        )
        return Position(step, design_count, tuple(reference) if reference else None)

    def note_platform(self, facts: Mapping[str, Any]) -> None:
        """Record what the figures of an exact run may depend on: interpreter, libraries, machine."""
        self.fencing_token.renew(platform=json_safe(dict(facts)))

    # -- steps --------------------------------------------------------------------------------------------------------

    def store_step(
        self,
        number: int,
        frame: StepFrame,
        hypervolume: float | None,
        reference: Sequence[float] | None,
        moved: Convergence | None = None,
    ) -> bool:
        """Append one step with its designs and results.

        Args:
            number: number of the step within the run, from 1 on.
            frame: the step as the child sent it.
            hypervolume: hypervolume of all designs up to this step, None without a reference point.
            reference: the reference point, one value per objective, None while there are no designs.
            moved: knows the hypervolume of earlier steps where this one has moved the reference point.

        Returns:
            False if that step is stored already; nothing changes then.

        Raises:
            FencedOutError: another attempt has the run.
        """
        added = sum(chunk.count for chunk in frame.designs)
        total = self.position.design_count + added
        fields = self._run_fields(number, frame, total, reference)
        run_id = self.fencing_token.run_id
        with self.fencing_token.transaction(**fields):
            stored = StepRecord.objects.filter(run_id=run_id, number=number).exists()
            if not stored:
                if moved is not None:
                    self._measure_again(moved)
                self._append(number, frame, total, fields, hypervolume)
        # Also where the step was stored before: then its commit succeeded and only the answer got lost.
        self.position = Position(number, total, tuple(reference) if reference else None)
        if frame.checkpoint is not None:
            self._checkpoint_step = number
            self._replaced_since.clear()
        return not stored

    def step_ends(self) -> list[int]:
        """Return the number of designs after each stored step, ascending."""
        steps = StepRecord.objects.filter(run_id=self.fencing_token.run_id).order_by("number")
        return list(steps.values_list("design_count", flat=True))

    def measure_again(self, tracker: Convergence) -> None:
        """Store the curve by a reference point that has moved."""
        with self.fencing_token.transaction(hypervolume_reference=list(tracker.reference or ())):
            self._measure_again(tracker)

    def _measure_again(self, tracker: Convergence) -> None:
        steps = StepRecord.objects.filter(run_id=self.fencing_token.run_id, hypervolume__isnull=False)
        records = list(steps.only("design_count"))
        for record in records:
            record.hypervolume = finite(tracker.hypervolume_after(record.design_count))
        StepRecord.objects.bulk_update(records, ["hypervolume"], batch_size=_UPDATED_AT_ONCE)

    def _append(
        self, number: int, frame: StepFrame, total: int, fields: Mapping[str, Any], hypervolume: float | None
    ) -> None:
        StepRecord.objects.create(
            run_id=self.fencing_token.run_id, number=number, attempt=self.fencing_token.attempt, hypervolume=finite(hypervolume),
            **{key: fields[key] for key in ("fraction", "message", "metrics", "evaluations", "design_count")},
        )  # fmt: skip
        self._store_chunks(number, frame.designs)
        self._store_results(number, frame)
        self._store_files(number, frame)
        if frame.checkpoint is not None:
            self._store_checkpoint(number, total, frame.checkpoint)

    def _run_fields(
        self, number: int, frame: StepFrame, total: int, reference: Sequence[float] | None
    ) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "step_number": number,
            "fraction": frame.fraction,
            "message": clean(frame.message, 500),
            "metrics": {name: finite(value) for name, value in frame.metrics.items()},
            "evaluations": int(finite(frame.metrics.get("evaluations", 0.0)) or 0),
            "design_count": total,
            "hypervolume_reference": list(reference) if reference else None,
            "stored_bytes": F("stored_bytes") + bytes_in(frame),
            **self.time_fields(),
        }
        if frame.checkpoint is not None:
            fields["attempts_without_checkpoint"] = 0
        return fields

    def _store_chunks(self, step: int, chunks: Iterable[ChunkFrame]) -> None:
        first, rows = self.position.design_count, []
        for chunk in chunks:
            rows.append(chunk_row(self.fencing_token.run_id, step, first, chunk))
            first += chunk.count
            self._small_chunks += len(chunk.decisions) < SMALL_CHUNK_BYTES
        DesignChunk.objects.bulk_create(rows)

    def _store_results(self, step: int, frame: StepFrame) -> None:
        newest = {entry.name: entry for entry in frame.results}
        self._drop_replaced(RunResult, newest, frame.checkpoint is not None)
        RunResult.objects.bulk_create(
            RunResult(
                run_id=self.fencing_token.run_id,
                name=name,
                type=entry.type,
                step_number=step,
                content=json.loads(entry.content),
            )
            for name, entry in newest.items()
        )

    def _store_files(self, step: int, frame: StepFrame) -> None:
        newest = {entry.name: entry for entry in frame.files}
        self._drop_replaced(RunFile, newest, frame.checkpoint is not None, working=False)
        RunFile.objects.bulk_create(
            RunFile(
                run_id=self.fencing_token.run_id,
                name=name,
                media_type=entry.media_type,
                step_number=step,
                blob_id=entry.sha256,
            )
            for name, entry in newest.items()
        )

    def _drop_replaced(
        self, model: type[RunResult] | type[RunFile], names: Iterable[str], at_checkpoint: bool, **fields: bool
    ) -> None:
        """Drop what newer content of the same name replaces; what a resume would go back to stays until the next checkpoint."""
        if names := list(names):
            replaced = model.objects.filter(run_id=self.fencing_token.run_id, name__in=names, **fields)
            if not at_checkpoint:
                self._replaced_since.add(model)
                replaced = replaced.filter(step_number__gt=self._checkpoint_step)
            replaced.delete()

    def _store_checkpoint(self, step: int, design_count: int, data: bytes) -> None:
        run_id = self.fencing_token.run_id
        newest = Checkpoint(
            run_id=run_id,
            step_number=step,
            design_count=design_count,
            attempt=self.fencing_token.attempt,
            data=data,
            time=Now(),
        )
        changing = ["step_number", "design_count", "attempt", "data", "time"]
        Checkpoint.objects.bulk_create([newest], update_conflicts=True, unique_fields=["run"], update_fields=changing)
        for model in self._replaced_since:
            _drop_superseded(model, run_id)
        if self._small_chunks >= SMALL_CHUNKS_TO_MERGE:
            merge_small_chunks(run_id)
            self._small_chunks = 0
        if step // STEPS_TO_THIN > (self._thinned_at // STEPS_TO_THIN):
            thin_steps(run_id, step)
            self._thinned_at = step

    # -- log ----------------------------------------------------------------------------------------------------------

    def store_log(self, lines: Sequence[tuple[str, str]]) -> None:
        """Append (level, text) lines; only the newest `MAX_LOG_LINES` are kept."""
        if not lines:
            return
        start = self.log_number + 1
        rows = [
            LogLine(
                run_id=self.fencing_token.run_id,
                number=number,
                attempt=self.fencing_token.attempt,
                level=level,
                text=clean(text, 2000),
            )
            for number, (level, text) in enumerate(lines[-MAX_LOG_LINES:], start)
        ]
        with self.fencing_token.transaction():
            # A commit whose answer got lost is repeated: what is there already stays.
            LogLine.objects.bulk_create(rows, ignore_conflicts=True)
            end = start + len(rows) - 1
            if end // _LOG_TRIM != self.log_number // _LOG_TRIM:
                LogLine.objects.filter(run_id=self.fencing_token.run_id, number__lte=end - MAX_LOG_LINES).delete()
        self.log_number = end

    def time_fields(self) -> dict[str, float]:
        """Return the fields of the run that say how long it has computed."""
        return {} if self.clock is None else {"computed_s": self.clock.used_s}

    # -- ending -------------------------------------------------------------------------------------------------------

    def finish(self, infeasible: Infeasibility | None) -> None:
        """Mark the run as done."""
        detail = infeasibility_to_json(infeasible) if infeasible else {}
        outcome = Run.Outcome.INFEASIBLE if infeasible else Run.Outcome.FEASIBLE
        with self.fencing_token.transaction(fraction=1.0):
            merge_small_chunks(self.fencing_token.run_id)
            self._end(status=Run.Status.DONE, outcome=outcome, outcome_detail=detail, finished=Now())
            run_done.send(Run, run_id=self.fencing_token.run_id)
            run_ended.send(Run, run_id=self.fencing_token.run_id)

    def stop(self) -> None:
        """Mark the run as stopped, on request or by its time limit; stored designs stay."""
        with transaction.atomic():
            self._end(status=Run.Status.STOPPED, finished=Now())
            run_stopped.send(Run, run_id=self.fencing_token.run_id)

    def fail(self, detail: Mapping[str, Any], reasons: Sequence[Mapping[str, Any]]) -> None:
        """Mark the run as failed with an error that another attempt would meet again."""
        with transaction.atomic():
            self._end(
                status=Run.Status.FAILED, outcome=Run.Outcome.ERROR, outcome_detail=json_safe(dict(detail)),
                attempt_reasons=json_safe(list(reasons)), finished=Now(),
            )  # fmt: skip
            run_ended.send(Run, run_id=self.fencing_token.run_id)

    def requeue(
        self,
        reasons: Sequence[Mapping[str, Any]] | None = None,
        forgive: bool = False,
        estimated_s: float | None = None,
    ) -> None:
        """Give the run back to the queue, in its old place.

        Args:
            reasons: why the attempts so far ended.
            forgive: the attempt does not count against the run (its worker was asked to end).
            estimated_s: updated estimate of the compute time, if known.
        """
        fields: dict[str, Any] = {} if reasons is None else {"attempt_reasons": json_safe(list(reasons))}
        if estimated_s is not None:
            fields["estimated_s"] = estimated_s
        if forgive:
            fields["attempts_without_checkpoint"] = Greatest(F("attempts_without_checkpoint") - 1, 0)
        # A stop may have been wished since the keeper last looked.
        stopped = When(wish=Run.Wish.STOP, then=Value(Run.Status.STOPPED))
        self._end(
            status=Case(stopped, default=Value(Run.Status.QUEUED)),
            finished=Case(When(wish=Run.Wish.STOP, then=Now()), default=None),
            **fields,
        )

    def _end(self, **fields: Any) -> None:
        self.fencing_token.end(stored_bytes=bytes_of(self.fencing_token.run_id), **fields, **self.time_fields())


def thin_steps(run_id: int, newest: int) -> None:
    """Keep every step of late, and of the older ones as many as a curve can show.

    Args:
        run_id: the run.
        newest: number of its newest step, which must be one with a checkpoint: a resume needs that record.
    """
    older = newest - NEWEST_STEPS_KEPT
    stride = 1
    while older // stride > OLDER_STEPS_KEPT:
        stride *= 2
    if stride > 1:
        records = StepRecord.objects.filter(run_id=run_id, number__lte=older)
        records.annotate(rest=Mod(F("number"), stride)).exclude(rest=0).delete()


def _drop_superseded(model: type[RunResult] | type[RunFile], run_id: int) -> None:
    same = {"run_id": run_id, "name": OuterRef("name"), "step_number__gt": OuterRef("step_number")}
    if model is RunFile:
        same["working"] = OuterRef("working")
    model.objects.filter(Exists(model.objects.filter(**same)), run_id=run_id).delete()


def _step_key(model: Any) -> str:
    return "number__gt" if model is StepRecord else "step_number__gt"


def infeasibility_to_json(found: Infeasibility) -> dict[str, Any]:
    """Return `outcome_detail` of a run whose limits cannot be met."""
    return {
        "kind": "infeasible",
        "limit": found.limit,
        "demand": finite(found.demand),
        "bound": finite(found.bound),
        "unit": found.unit,
        "gap": finite(found.gap),
        "remedies": [{"text": text, "field": name} for text, name in found.remedies],
    }
