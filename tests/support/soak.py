"""Runs of every engine under faults at random moments, counted; each must end as one that nothing happened to."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import DatabaseError, connections

from engines.contract.designs import Designs
from engines.contract.engine import Problem
from tests.support.live import LiveSite, WorkerProcess
from webapp.runs import service
from webapp.runs.models import LogLine, Run, RunFile, RunResult
from webapp.runs.storage.design_chunks import stored_designs

# A run is not tried a fourth time without a checkpoint in between: two faults that end a child are what each must survive.
MOST_FAULTS = 2
PATIENCE_S = 240.0
BACK_WITHIN_S = 15.0

LOG_LINES, LOG_CHARACTERS = 40, 6000

Value = TypeVar("Value")
# Breaks something, of the run if it is one of its own. A fault that lasts returns the moment, on the monotonic clock, from which on
# all is as before, so that the run can be at work again; None is the moment in which it began.
Fault = Callable[[Run], float | None]


@dataclass(frozen=True)
class Outcome:
    """What a run left behind.

    Attributes:
        designs: all of them, in order. results: name -> content, of the newest step. files: name -> SHA-256.
    """

    designs: Designs | None
    results: Mapping[str, Any]
    files: Mapping[str, str]

    def differs_from(self, other: Outcome) -> list[str]:
        """What is not equal, in words; value for value, and files byte for byte."""
        if self.designs is None or other.designs is None:
            same = self.designs is other.designs
        else:
            same = self.designs.equals(other.designs)
        found = [] if same else ["designs"]
        for what, ours, theirs in (("result", self.results, other.results), ("file", self.files, other.files)):
            names = sorted(set(ours) | set(theirs))
            found += [f"{what} {name}" for name in names if ours.get(name) != theirs.get(name)]
        return found


@dataclass
class Counts:
    """What happened, for the last line.

    Attributes:
        faults: kind -> how many. runs: engine -> runs that faults hit. back_s: seconds from each fault
            until the run was at work again. late: those over `BACK_WITHIN_S`, in words.
        broken: runs that did not end as they should, in words.
    """

    faults: Counter[str] = field(default_factory=Counter)
    runs: Counter[str] = field(default_factory=Counter)
    back_s: list[float] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def back(self, kind: str, after_s: float) -> None:
        """A run was at work again that long after such a fault."""
        self.back_s.append(after_s)
        if after_s > BACK_WITHIN_S:
            self.late.append(f"{after_s:.1f} s after {kind}")

    @property
    def words(self) -> str:
        """One paragraph of figures."""
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.faults.items()))
        ordered = sorted(self.back_s) or [0.0]
        late = f"{len(self.late)} later than {BACK_WITHIN_S:g} s" + (f" ({', '.join(self.late)})" if self.late else "")
        return (
            f"{sum(self.faults.values())} faults in {sum(self.runs.values())} runs of {len(self.runs)} engines ({kinds}); at work "
            f"again after {ordered[len(ordered) // 2]:.1f} s in the middle and {ordered[-1]:.1f} s at most, {late}; "
            f"{len(self.broken)} not as unbroken"
        )


class Soak:
    """Faults against the runs of one site.

    Args:
        site: with its database, to which workers may be added.
        environment: of its workers.
        outside: kind -> a fault beside those of workers and children (a database that starts again, a network that is cut).
        seed: decides which faults come when; the machine decides what they hit.
        kinds: only faults in whose kind one of these is a part, all where there is none.
    """

    def __init__(
        self,
        site: LiveSite,
        environment: Mapping[str, str],
        outside: Mapping[str, Fault],
        seed: int,
        kinds: Sequence[str] = (),
    ) -> None:
        self._site, self._environment = site, environment
        self._random = random.Random(seed)
        self._workers: list[WorkerProcess] = [site.worker(**environment)]
        faults: dict[str, Fault] = {
            "kill -9 of the child": self._kill_child,
            "kill -9 of the worker": self._kill_worker,
            "end of the worker": self._end_worker,
            "SIGSTOP of the worker": self._freeze_worker,
            "stop and continue": self._stop_and_continue,
            **outside,
        }
        self._faults = {
            kind: fault for kind, fault in faults.items() if not kinds or any(part in kind for part in kinds)
        }
        self._hit: list[str] = []
        self._unbroken: dict[str, tuple[Outcome, float]] = {}
        self.counts = Counts()

    def run(self, problem: Problem) -> None:
        """Let the problem run once without a fault if that was not done yet, and once with some."""
        name = problem.engine
        if name not in self._unbroken:
            began = time.monotonic()
            run = self._start(problem)
            self._wait(lambda: not _again(run).active, f"run {run.pk} of {name} without a fault")
            if run.status != Run.Status.DONE:
                raise AssertionError(f"{name} ended {run.status} without any fault: {run.outcome_detail}")
            self._unbroken[name] = patiently(lambda: outcome_of(run)), time.monotonic() - began
        expected, took_s = self._unbroken[name]
        run = self._start(problem)
        self._hit.clear()
        for _ in range(self._random.randint(1, MOST_FAULTS)):
            time.sleep(self._random.uniform(0.0, max(took_s, 0.5)))
            if not patiently(lambda: _again(run)).active:
                break
            self._break(run)
        self._wait(lambda: not _again(run).active, f"run {run.pk} of {name} after {', '.join(self._hit) or 'no fault'}")
        self.counts.runs[name] += bool(self._hit)
        print(f"  {self.counts.words}", flush=True)
        if run.status != Run.Status.DONE:
            self._tell_broken(f"run {run.pk} of {name} ended {run.status}", run)
        elif different := patiently(lambda: outcome_of(run)).differs_from(expected):
            self._tell_broken(f"run {run.pk} of {name}: {', '.join(different)}", run)

    def _tell_broken(self, words: str, run: Run) -> None:
        """At once, too, and all that is known: whoever ends a soak of hours early knows what it had found, and why."""
        self.counts.broken.append(words)
        print(f"  {words}\n{patiently(lambda: self._account(run))}", flush=True)

    def _account(self, run: Run) -> str:
        """What there is to know of a run: how it stands, its log, and the ends of the logs of workers."""
        now = _again(run)
        lines = list(LogLine.objects.filter(run=run).order_by("-number")[:LOG_LINES])[::-1]
        facts = [
            f"faults: {', '.join(self._hit) or 'none'}",
            f"status {now.status}, wish {now.wish}, outcome {now.outcome!r}, step {now.step_number}",
            f"attempt {now.attempt}, {now.attempts_without_checkpoint} without a checkpoint",
            f"lease of {now.lease_owner!r} until {now.lease_expires}",
            f"detail: {now.outcome_detail}",
            f"reasons: {now.attempt_reasons}",
            *(f"  {line.time:%H:%M:%S.%f} attempt {line.attempt} {line.level}: {line.text}" for line in lines),
        ]
        return "\n".join([*facts, self._site.worker_logs(LOG_CHARACTERS)])

    # -- faults -------------------------------------------------------------------------------------------------------

    def _break(self, run: Run) -> None:
        kind = self._random.choice(sorted(self._faults))
        if kind in ("kill -9 of the worker", "end of the worker", "SIGSTOP of the worker"):
            self._another()  # a second one is there before: what is measured is not how long a worker takes to start
        before, at = patiently(lambda: _again(run)).attempt, time.monotonic()
        self._hit.append(kind)
        over = self._faults[kind](run)
        self.counts.faults[kind] += 1
        now = patiently(lambda: _again(run))
        step = now.step_number
        if over is not None:
            before, at = now.attempt, over

        def at_work() -> bool:
            now = _again(run)
            return not now.active or now.attempt > before or now.step_number > step

        self._wait(at_work, f"run {run.pk} at work again after {kind}")
        self.counts.back(kind, time.monotonic() - at)
        self._tend(run)

    def _tend(self, run: Run) -> None:
        """Workers must outlive what breaks beside them: one that has not is told, and another one started."""
        for worker in [each for each in self._workers if each.process.poll() is not None]:
            self._workers.remove(worker)
            self._tell_broken(
                f"a worker ended by itself with status {worker.process.returncode} ({worker.log.name})", run
            )
        if not self._workers:
            self._another()

    def _kill_child(self, run: Run) -> None:
        for worker in self._workers:
            for child in worker.children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

    def _kill_worker(self, run: Run) -> None:
        self._workers.pop(0).kill()

    def _end_worker(self, run: Run) -> None:
        self._workers.pop(0).terminate()

    def _freeze_worker(self, run: Run) -> None:
        """It sleeps until another has its run, or its lease is long over, and wakes up beside it."""
        frozen = self._workers.pop(0)
        os.kill(frozen.process.pid, signal.SIGSTOP)

        def wake() -> None:
            with contextlib.suppress(ProcessLookupError):  # the test may be over
                os.kill(frozen.process.pid, signal.SIGCONT)
                frozen.terminate()

        threading.Timer(self._random.uniform(0.0, 12.0), wake).start()

    def _stop_and_continue(self, run: Run) -> None:
        patiently(lambda: service.request_stop(self._site.ann, run))
        continue_where_stopped(self._site, run)

    def _another(self) -> None:
        self._workers.append(self._site.worker(**self._environment))

    # -- runs ---------------------------------------------------------------------------------------------------------

    def _start(self, problem: Problem) -> Run:
        run = self._site.unsaved(problem)
        return patiently(lambda: self._site.store(run, problem))

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        self._site.wait(lambda: patiently(condition), what, PATIENCE_S)


def continue_where_stopped(site: LiveSite, run: Run) -> None:
    """A run that was wished to stop goes on; one that was not is left alone."""

    def settled() -> bool:
        now = _again(run)
        return not now.active or now.wish == Run.Wish.RUN

    site.wait(lambda: patiently(settled), f"run {run.pk} stopped", PATIENCE_S)
    if run.status == Run.Status.STOPPED:
        patiently(lambda: service.continue_run(site.ann, run))


def outcome_of(run: Run) -> Outcome:
    """What is stored of a run that is done."""
    results = RunResult.objects.filter(run=run).order_by("name", "step_number")
    files = RunFile.objects.filter(run=run, working=False).order_by("name", "step_number")
    return Outcome(
        stored_designs(run.pk),
        {result.name: (result.type, result.content) for result in results},
        {file.name: file.blob_id for file in files},
    )


def patiently(work: Callable[[], Value]) -> Value:
    """Its value, tried again for a while where the database is away, as a person would load a page again."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return work()
        except DatabaseError:
            connections["default"].close()
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _again(run: Run) -> Run:
    run.refresh_from_db()
    return run
