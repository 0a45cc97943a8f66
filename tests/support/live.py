"""Real worker processes around a live database, and short ways to start runs and to wait for what they do."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from kombu import pools

from engines.contract.engine import Problem
from engines.running.driver import drive
from tests.support.databases import LiveDatabase
from tests.support.toy_engine import ToyEngine, toys_offered
from webapp.runs import service
from webapp.runs.inputs import planning
from webapp.runs.models import Run, RunInput, WorkerBeat
from webapp.runs.storage.design_chunks import stored_designs
from webapp.site.celery import app
from webapp.teams.visibility import personal_project

ROOT = Path(__file__).resolve().parents[2]
# A limit for what hangs, on a busy machine; how long things take is measured by benchmarks/bench_runs.py.
PATIENCE_S = 100.0


class WorkerProcess:
    """One real worker."""

    def __init__(self, database: LiveDatabase, flags: Sequence[str] = (), **environment: str) -> None:
        """Start it; `flags` are the interpreter's."""
        self.log = database.folder / f"worker-{time.monotonic_ns()}.log"
        # Chosen names only: nothing of the test process leaks in but what a person's shell would have.
        passed = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        environment = {
            "DATABASE_URL": database.url,
            "PARETOSCOPE_VAR": str(database.folder),
            "PARETOSCOPE_WORKER_OFFERS": "none",
            "DJANGO_SETTINGS_MODULE": "webapp.site.settings",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            **passed,
            **environment,
        }
        with self.log.open("wb") as stream:
            self.process = subprocess.Popen(
                [sys.executable, *flags, "-m", "tests.support.worker"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

    def children(self) -> list[int]:
        """Its runner processes: those of the runs that it keeps, and the one that waits for the next run."""
        return [pid for pid in _processes() if _parent_of(pid) == self.process.pid and _is_runner(pid)]

    def kill(self) -> None:
        """SIGKILL, to the worker alone."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def terminate(self) -> int:
        """SIGTERM; the exit status."""
        self.process.terminate()
        return self.process.wait(PATIENCE_S)


class LiveSite:
    """A database with two people, the toy engines, and as many workers as a test starts."""

    def __init__(self, database: LiveDatabase) -> None:
        self.database = database
        self._workers: list[WorkerProcess] = []

    def __enter__(self) -> LiveSite:
        for folder in ("queue", "control"):
            (self.database.folder / folder).mkdir(exist_ok=True)
        self._earlier = dict(app.conf.broker_transport_options)
        queue = str(self.database.folder / "queue")
        app.conf.broker_transport_options = {
            **self._earlier, "data_folder_in": queue, "data_folder_out": queue,
            "control_folder": str(self.database.folder / "control"),
        }  # fmt: skip
        forget_connections()
        self._toys = contextlib.ExitStack()
        self._toys.enter_context(toys_offered())
        users = get_user_model().objects
        self.ann = users.create_user("ann", password="ann-has-a-password")
        self.bob = users.create_user("bob", password="bob-has-a-password")
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker.process.pid, signal.SIGKILL)
            worker.process.wait(PATIENCE_S)
        app.conf.broker_transport_options = self._earlier
        forget_connections()
        self._toys.close()

    def worker(self, flags: Sequence[str] = (), **environment: str) -> WorkerProcess:
        """Start a worker, with the interpreter's `flags`, and wait until it gives a sign of life."""
        worker = WorkerProcess(self.database, flags, **environment)
        self._workers.append(worker)
        own = WorkerBeat.objects.filter(name__endswith=f":{worker.process.pid}")
        self.wait(own.exists, f"worker ready; see {worker.log}")
        return worker

    def holder(self, run: Run) -> WorkerProcess:
        """The worker that keeps the run."""
        owner = Run.objects.values_list("lease_owner", flat=True).get(pk=run.pk)
        return next(worker for worker in self._workers if owner.endswith(f":{worker.process.pid}"))

    def child(self, run: Run) -> int:
        """Process id of the run's child."""
        return int(Run.objects.values_list("platform", flat=True).get(pk=run.pk)["process"])

    def start(self, engine: str = "toy", seed: int = 1, **params: Any) -> Run:
        """Start a run of a toy as ann."""
        return service.start(self.ann, {"engine": engine, "params": params, "seed": seed})

    def unsaved(self, problem: Problem) -> Run:
        """A run of ann's that waits once it is stored; the documents of the problem need not be in the catalogue."""
        plan, project = planning.plan_of(problem), personal_project(self.ann)
        return service.unsaved_run(problem, plan, project=project, owner_id=self.ann.pk, title=problem.engine)

    def store(self, run: Run, problem: Problem) -> Run:
        """Store what `unsaved` gave; it may be repeated. No worker is rung."""
        with transaction.atomic():  # a worker that looks in between would find a run without its inputs
            run.save()
            RunInput.objects.filter(run=run).delete()
            RunInput.objects.bulk_create(service.inputs_of(run, problem))
        return run

    def wait(self, condition: Callable[[], Any], what: str, timeout_s: float = PATIENCE_S) -> Any:
        """Poll until `condition` holds; its value."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(f"Not within {timeout_s} s: {what}.\n{self.worker_logs(3000)}")

    def worker_logs(self, characters: int, newest: int = 6) -> str:
        """The ends of the logs of the workers started last."""
        logs = (worker.log for worker in self._workers[-newest:])
        return "\n".join(f"-- end of {log}\n{log.read_text(errors='replace')[-characters:]}" for log in logs)

    def wait_for_status(self, run: Run, *statuses: str, timeout_s: float = PATIENCE_S) -> Run:
        """Wait until the run has one of the statuses; the run as stored."""

        def reached() -> bool:
            run.refresh_from_db()
            return run.status in statuses

        self.wait(reached, f"run {run.pk} {' or '.join(statuses)}", timeout_s)
        return run

    def wait_for_steps(self, run: Run, steps: int) -> Run:
        """Wait until that many steps are stored."""

        def reached() -> bool:
            run.refresh_from_db()
            return run.step_number >= steps

        self.wait(reached, f"{steps} steps of run {run.pk}")
        return run

    def unbroken(self, run: Run) -> Any:
        """The designs of the same problem, computed here without any interruption."""
        from engines.contract.designs import Designs
        from engines.running.context import LocalContext
        from webapp.runs.inputs.problems import problem_of

        problem = problem_of(run)
        params = problem.params.model_copy(update={"step_seconds": 0.0, "crash_at": -1, "hold_at": -1})
        steps = drive(ToyEngine(), replace(problem, params=params), LocalContext(problem))
        return Designs.concatenate([step.designs for step in steps if step.designs is not None])

    def assert_same_designs(self, run: Run) -> None:
        """The stored designs equal those of an unbroken run, value for value."""
        stored = stored_designs(run.pk)
        assert stored is not None
        assert stored.equals(self.unbroken(run))


def forget_connections() -> None:
    """Have Celery open its queue again, with the options of now."""
    pools.reset()
    app._after_fork()


def is_zombie(pid: int) -> bool:
    """Whether a process has ended, though its parent has not asked yet how."""
    try:
        return ") Z" in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _is_runner(pid: int) -> bool:
    try:
        return b"engines.running.runner" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
