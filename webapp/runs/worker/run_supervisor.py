"""The keeper of one run: starts its child process, holds the lease, stores what comes, and ends the child when it must.

The child is never trusted: it may hang, flood, die or ignore a stop. The keeper wakes at least every `TICK_S`, whatever
the child does, to look for a stop and to renew the lease; it kills the child's whole process group when the grace after a
stop is over, when the run was taken by another person, and when its own process is asked to end.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.conf import settings

from engines.contract.engine import Infeasibility, Resume
from engines.contract.errors import EngineError
from engines.contract.integer_format import many
from engines.registry import get_engine
from engines.running.computing_clock import ComputingClock
from engines.running.runner.client import ChildExit, RunnerProcess
from engines.running.runner.protocol import (
    Explanation,
    FilePart,
    Frame,
    Log,
    Measure,
    SearchReport,
    StartReport,
    StepFrame,
)
from engines.running.time_limits import reached_words, seconds_of
from webapp.base.flags import Flag
from webapp.base.log_lines import about_run
from webapp.runs.errors import FencedOutError
from webapp.runs.inputs.measurement_hooks import Measurer
from webapp.runs.queue import claim
from webapp.runs.storage.convergence import ConvergenceTracker
from webapp.runs.storage.lease import FencingToken, persistently
from webapp.runs.worker.database_access import DatabaseAccess
from webapp.runs.worker.disk_space import database_is_full, full_folders, trouble_of
from webapp.runs.worker.failures import failure_detail
from webapp.runs.worker.heartbeat_timeout import HeartbeatTimeout
from webapp.runs.worker.run_access import Assignment, RunAccess

logger = logging.getLogger(__name__)

TICK_S = 0.15
# "Stops within 2 s whatever the engine does", on a loaded machine too: a tick to notice, this grace, and the rest to kill and to
# store. A keeper that could not look for longer than a tick takes what is beyond it off the grace, down to the least.
STOP_GRACE_S, LEAST_GRACE_S = 1.3, 0.3
# The engine ends by itself at its time limit, after the step at hand. One that does not is asked, and then killed: there is no
# hurry, so it may finish a longer step.
TIME_LIMIT_GRACE_S = 3.0
_LOOK_AT_QUEUE_S = 1.0
LOG_TAIL_LINES = 30
# Explanations of a run that has ended keep its place at a worker for so long at most.
EXPLAINING_S = 20.0
_CRASHES = ("exit", "signal", "killed", "protocol", "machine")

Kept = Literal["done", "stopped", "failed", "queued", "fenced out", "lost"]


@dataclass
class Signals:
    """The signals that a supervisor gets from its own process.

    Attributes:
        leave: the process is asked to end: release the run at once, for another worker.
        stop: the person in front of it wants the run to stop (foreground command).
        drain: the process ends soon: release the run after its next checkpoint.
        wall_s: seconds that the process may live; 0 for no end.
    """

    leave: Flag = field(default_factory=Flag)
    stop: Flag = field(default_factory=Flag)
    drain: Flag = field(default_factory=Flag)
    wall_s: float = 0.0


class RunSupervisor:
    """A supervisor of one claimed run, until the run ends or another worker claims it.

    Args:
        fencing_token: the claim.
        signals: how the surrounding process reaches the keeper.
        on_step: called with each stored step (a foreground command's progress bar).
        offer: offer of the worker; one for short runs gives a run back that turned out long while a short one waits.
        access: storage of the run; the database by default.
    """

    def __init__(
        self,
        fencing_token: FencingToken,
        signals: Signals | None = None,
        on_step: Callable[[StepFrame], None] | None = None,
        offer: claim.Offer | None = None,
        access: RunAccess | None = None,
    ) -> None:
        """Keep the token and the signals; `keep` starts the run."""
        self.fencing_token = fencing_token
        self._signals = signals or Signals()
        self._on_step = on_step
        self._offer = offer or claim.Offer()
        self._looked_at_queue, self._outgrown = 0.0, False
        self._store: RunAccess = access or DatabaseAccess(fencing_token)
        self._process: RunnerProcess | None = None
        self._tracker: ConvergenceTracker | None = None
        self._base_step = 0
        self._log: list[tuple[str, str]] = []
        self._parts: dict[str, list[bytes]] = {}
        self._infeasible: Infeasibility | None = None
        self._ticked = self._renewed = 0.0
        self._kill_at: float | None = None
        self._time: ComputingClock | None = None
        self._silence: HeartbeatTimeout | None = None
        self._hung = self._began = self._released = False
        self._checkpoints, self._taken_at = 0, time.monotonic()
        self._measurer: Measurer | None = None
        self._owner = ""
        self._memory_limit_mb = float(settings.PARETOSCOPE_RUN_MEMORY_MB)

    def keep(self) -> Kept:
        """Run the child to its end and settle the run. Never raises: what goes wrong is logged and told as the reason."""
        with about_run(self.fencing_token.run_id):
            return self._keep_or_give_up()

    def _keep_or_give_up(self) -> Kept:
        try:
            return self._keep()
        except FencedOutError as error:
            logger.info("%s", error)
            return "fenced out"
        except Exception as error:  # the task boundary
            logger.exception("The supervisor of run %s lost it.", self.fencing_token.run_id)
            return self._give_up(error)
        finally:
            if self._process is not None and self._process.poll() is None:
                self._process.kill()

    def _give_up(self, error: Exception) -> Kept:
        """Settle a run whose keeper itself failed. Where even that fails, the lease expires and the run is takeable."""
        try:
            text, facts = trouble_of(error), {"exception": type(error).__name__}
            if text:
                return self._try_again({"kind": "machine", **facts}, text, stored_nothing=database_is_full(error))
            return self._try_again({"kind": "keeper", **facts}, f"The worker failed: {error!r:.500}")
        except Exception:
            logger.exception("Run %s keeps its state until its lease expires.", self.fencing_token.run_id)
            return "lost"

    def _keep(self) -> Kept:
        run = persistently(self._store.assignment)
        self._owner = run.worker
        # An engine whose plan says that it needs more than the setting (torch does) gets it, up to what is allowed.
        self._memory_limit_mb = max(self._memory_limit_mb, run.memory_mb)
        if run.most_memory_mb is not None:
            self._memory_limit_mb = min(self._memory_limit_mb, run.most_memory_mb)
        self._time = self._store.clock = ComputingClock(seconds_of(run.stop_after_minutes), run.computed_s)
        if self._time.is_over():  # its last keeper went away before it could say so
            persistently(self._store.stop)
            return "stopped"
        try:
            problem = run.problem()
            engine = get_engine(run.engine)
        except (EngineError, ImportError) as error:
            return self._fail({"kind": "problem", "text": str(error), "exception": type(error).__name__})
        resume = persistently(self._store.rewind)
        self._base_step = self._store.position.step_number
        self._tracker = ConvergenceTracker(engine.quantities_of(problem.params), self._store.position.reference)
        if resume is not None:
            self._tracker.add_designs(resume.designs, persistently(self._store.step_ends))
            if self._tracker.moves:  # an earlier version left it where it was
                tracker = self._tracker
                persistently(lambda: self._store.measure_again(tracker))
        self._say("info", self._beginning(resume))
        self._measurer = persistently(self._store.measurer)
        if self._measurer is not None:
            measurer, kept = self._measurer, self._store.position.design_count
            persistently(lambda: measurer.goes_on(kept))
        with RunnerProcess(
            problem,
            resume,
            memory_limit_mb=self._memory_limit_mb,
            workers=settings.PARETOSCOPE_RUN_PROCESSES,
            device="cuda" if "gpu" in run.needs.split(",") else "cpu",
            files=self._store.files,
            time_limit_s=self._time.left_s,
            measure=None if self._measurer is None else self._measurer.budget,
        ) as process:
            self._process = process
            self._silence = HeartbeatTimeout(60.0 * settings.PARETOSCOPE_RUN_SILENT_MINUTES or None)
            for frame in process.frames(TICK_S):
                if isinstance(frame, SearchReport):
                    ending = self._settle(ChildExit("done", frame.outcome), run)
                    self._store_explanations(process)
                    return ending
                if frame is not None:
                    self._handle(frame)
                    if self._released:
                        process.kill()
                        return self._settle(ChildExit("stopped"), run)
                    # After it was stored, however long that took.
                    self._silence.heard()
                self._tick()
            return self._settle(process.ending, run)

    # -- while it runs ------------------------------------------------------------------------------------------------

    def _handle(self, frame: Frame) -> None:
        if isinstance(frame, StepFrame):
            self._handle_step(frame)
        elif isinstance(frame, Log):
            self._say(frame.level, frame.message)
            if frame.level == "waiting":  # where it is, visitors of the run need not know
                logger.warning("%s EXECUTOR_URL: %s", frame.message, settings.EXECUTOR_URL)
        elif isinstance(frame, Measure) and self._measurer is not None:
            measurer = self._measurer
            persistently(lambda: measurer.ask(frame.content))
        elif isinstance(frame, FilePart):
            pieces = self._parts.setdefault(frame.sha256, [])
            pieces.append(frame.data)
            if frame.part == frame.parts - 1:
                content = b"".join(self._parts.pop(frame.sha256))
                persistently(lambda: self._store.files.put(content))
        elif isinstance(frame, StartReport):
            assert self._time is not None
            self._began = True
            self._time.begin()
            facts = {**frame.platform, "worker": self._owner, "process": frame.pid}
            persistently(lambda: self._store.note_platform(facts))

    def _handle_step(self, frame: StepFrame) -> None:
        assert self._tracker is not None
        tracker, moves = self._tracker, self._tracker.moves
        tracker.add_chunks(frame.designs)
        number = self._base_step + frame.number
        moved = tracker if tracker.moves > moves else None
        persistently(lambda: self._store.store_step(number, frame, tracker.hypervolume, tracker.reference, moved))
        self._renewed = time.monotonic()
        self._infeasible = frame.infeasible or self._infeasible
        if frame.checkpoint is not None:
            self._checkpoints += 1
            self._released = self._signals.drain.is_set() and frame.fraction < 1.0
        if self._on_step is not None:
            self._on_step(frame)

    def _tick(self) -> None:
        """Look at most every `TICK_S` for a stop, renew the lease, flush the log, end what exceeds its grace."""
        now = time.monotonic()
        if now - self._ticked < TICK_S:
            return
        # A stop may have been asked for since then.
        looked_before, self._ticked = self._ticked or now, now
        assert self._process is not None and self._time is not None and self._silence is not None
        if self._signals.leave.is_set():
            self._process.kill()
            return
        if self._kill_at is None and self._is_outgrown(now):
            self._outgrown = True
            self._process.kill()
            return
        self._pass_answers_on()
        if self._silence.lasts_too_long():
            self._hung = True
            self._process.kill()
            return
        if self._kill_at is None and (self._signals.stop.is_set() or persistently(self._store.stop_wished)):
            self._process.request_stop()
            self._kill_at = max(looked_before + TICK_S + STOP_GRACE_S, time.monotonic() + LEAST_GRACE_S)
            if not self._began:  # it has nothing yet that it could keep
                self._kill_at = time.monotonic()
        if self._kill_at is None and self._time.is_over(TIME_LIMIT_GRACE_S):
            self._kill_at = now + STOP_GRACE_S
            self._process.request_stop()
        if self._kill_at is not None and now >= self._kill_at:
            self._process.kill()
        if now - self._renewed >= self._store.renew_every_s:
            persistently(self._store.renew)
            self._renewed = now
        self._flush_log()

    def _is_outgrown(self, now: float) -> bool:
        """Return whether a short run waits for this slot, and a worker for long runs is up that continues with this one."""
        assert self._time is not None
        short = self._offer.short_only and self._time.used_s > claim.SHORT_RUN_S
        if not short or now - self._looked_at_queue < _LOOK_AT_QUEUE_S:
            return False
        self._looked_at_queue = now
        return persistently(lambda: self._store.gives_way(self._offer))

    def _pass_answers_on(self) -> None:
        """Pass measurements of machines to the run's process, which says nothing while it waits for them."""
        measurer = self._measurer
        if measurer is None or not measurer.waits:
            return
        assert self._process is not None and self._silence is not None
        self._silence.heard()
        for answer in persistently(measurer.answers):
            self._process.send(answer)

    def _say(self, level: str, text: str) -> None:
        self._log.append((level, text))

    def _flush_log(self) -> None:
        if self._log:
            lines = list(self._log)
            persistently(lambda: self._store.store_log(lines))
            self._log.clear()

    def _beginning(self, resume: Resume | None) -> str:
        if resume is None:
            return f"Attempt {self.fencing_token.attempt}: from the beginning."
        designs = self._store.position.design_count
        attempt = self.fencing_token.attempt
        return f"Attempt {attempt}: after the checkpoint of step {self._base_step}, with {many(designs, 'design')}."

    # -- the end ------------------------------------------------------------------------------------------------------

    def _settle(self, ending: ChildExit, run: Assignment) -> Kept:
        assert self._time is not None
        if ending.status == "done":
            self._log += persistently(self._store.store_documents)
            self._settle_curve()
            return self._end("done", lambda: self._store.finish(self._infeasible), "The run is complete.")
        out_of_time = ending.out_of_time and self._time.reach()
        if self._kill_at is not None or out_of_time:
            how = self._time_limit_words(run) if self._time.is_over() else "The run stopped."
            if ending.reason == "killed" and self._began:
                how += " The engine was killed: it did not stop when asked."
            self._settle_curve()
            return self._end("stopped", self._store.stop, how)
        if self._outgrown:
            seconds = 2.0 * self._time.used_s  # more than a minute: this worker does not take it again
            words = "The run takes more than a minute: a worker for long runs continues it, because a short run waits."
            return self._end("queued", lambda: self._store.requeue(forgive=True, estimated_s=seconds), words)
        if self._signals.leave.is_set() or self._released:
            wall_s, here_s = self._signals.wall_s, time.monotonic() - self._taken_at
            if self._signals.drain.is_set() and not self._checkpoints and here_s >= wall_s / 2:
                words = f"The wall time of {wall_s:g} s is too short for one step of this run with its checkpoint: "
                words += "start workers with a longer --wall-time."
                return self._try_again({"kind": "wall time", "text": words}, words)
            return self._end(
                "queued", lambda: self._store.requeue(forgive=True), "The worker ends; another one takes over."
            )
        if self._hung and self._silence is not None:
            return self._try_again({"kind": "silence", "text": self._silence.words}, self._silence.words)
        if ending.status == "stopped":
            return self._try_again({"kind": "protocol"}, "The engine stopped without a request.")
        if ending.reason in _CRASHES:
            return self._try_again(failure_detail(ending, self._memory_limit_mb, self._stderr_tail()), ending.message)
        return self._fail(failure_detail(ending, self._memory_limit_mb, self._stderr_tail()))

    def _store_explanations(self, process: RunnerProcess) -> None:
        """Store what explains a few designs. The run has ended: whatever happens here, it stays as it is."""
        give_up = time.monotonic() + EXPLAINING_S
        try:
            for frame in process.frames(TICK_S):
                if isinstance(frame, Explanation):
                    self._store.store_explanation(frame.number, frame.content)
                if self._signals.leave.is_set() or time.monotonic() > give_up:
                    process.kill()
        except Exception:
            logger.warning("Explanations of run %s were not stored.", self.fencing_token.run_id, exc_info=True)

    def _settle_curve(self) -> None:
        assert self._tracker is not None
        self._tracker.settle()
        if self._tracker.moves:
            tracker = self._tracker
            persistently(lambda: self._store.measure_again(tracker))

    def _time_limit_words(self, run: Assignment) -> str:
        return f"The run stopped: {reached_words(run.stop_after_minutes or 0.0)}."

    def _end(self, kept: Kept, store: Callable[[], None], text: str) -> Kept:
        self._say("info", text)
        self._flush_log()
        persistently(store)
        return kept

    def _try_again(self, detail: Mapping[str, Any], text: str, stored_nothing: bool = False) -> Kept:
        """Release a run whose attempt ended without an account: another one continues from the last checkpoint, but not for ever.

        One that met a full disk does not count: workers take no run until theirs has room. Where it is the database's that
        `stored_nothing`, the next attempt takes `LEASE_S` at least to meet it again; no lines are added to the log there.
        """
        by_machine = detail["kind"] == "machine"
        history = persistently(lambda: self._store.history(text, by_machine))
        forgive = by_machine and (stored_nothing or bool(full_folders())) and not history.machine_only
        reasons = history.reasons
        if history.exhausted and not forgive:
            return self._fail({**detail, **claim.poison_detail(reasons)}, reasons)
        if not stored_nothing:
            self._say_failure(text)
            self._flush_log()
        persistently(lambda: self._store.requeue(reasons, forgive))
        return "queued"

    def _fail(self, detail: Mapping[str, Any], reasons: list[dict[str, Any]] | None = None) -> Kept:
        if reasons is None:
            reasons = persistently(lambda: self._store.history(str(detail["text"]))).reasons
        self._say_failure(str(detail["text"]))
        self._flush_log()
        persistently(lambda: self._store.fail({"reasons": reasons, **detail}, reasons))
        return "failed"

    def _say_failure(self, text: str) -> None:
        self._say("error", text)
        for line in self._stderr_tail():
            self._say("error", f"stderr: {line}")

    def _stderr_tail(self) -> list[str]:
        text = self._process.stderr_tail() if self._process is not None else ""
        return text.splitlines()[-LOG_TAIL_LINES:]
