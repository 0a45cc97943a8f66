"""A scheduler and workers of dask.distributed as processes of their own, on loopback or in network namespaces."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from distributed import Client

ROOT = Path(__file__).resolve().parents[2]
# A connection that carries nothing is given up after so long (30 s without it).
QUICK = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s"}


class DaskCluster:
    """One scheduler, and workers with one thread each.

    Args:
        workers: how many to start at once. host: address at which the scheduler listens. protocol: "tcp", or "tls" with
            certificates of dask's configuration, which `DASK_CONFIG` names.
    """

    def __init__(self, workers: int = 0, host: str = "127.0.0.1", protocol: str = "tcp") -> None:
        self._host, self._first, self._protocol = host, workers, protocol
        self.workers: list[subprocess.Popen[bytes]] = []
        self.url = ""

    def __enter__(self) -> DaskCluster:
        self.start_scheduler("0")
        for _ in range(self._first):
            self.add_worker()
        self.wait_for(self._first)
        return self

    def start_scheduler(self, port: str) -> None:
        """Start it; one that was killed at its port, for the same URL."""
        self.url = ""
        words = f"-m distributed.cli.dask_scheduler --host {self._host} --port {port} --protocol {self._protocol} --no-dashboard"
        with tempfile.TemporaryDirectory() as folder:
            told = Path(folder, "scheduler.json")
            command = [sys.executable, *words.split(), "--scheduler-file", str(told)]
            self.scheduler = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
            end = time.monotonic() + 200
            while not self.url:
                with contextlib.suppress(OSError, ValueError):
                    self.url = json.loads(told.read_text())["address"]
                if time.monotonic() > end or self.scheduler.poll() is not None:
                    raise RuntimeError("The scheduler did not begin to listen.")
                time.sleep(0.05)

    def add_worker(self, prefix: Sequence[str] = (), **environment: str) -> subprocess.Popen[bytes]:
        """One more; `prefix`: a command that starts it elsewhere (`ip netns exec NAME`)."""
        words = f"-m distributed.cli.dask_worker {self.url} --nthreads 1 --no-nanny --no-dashboard --death-timeout 60"
        worker = subprocess.Popen(
            [*prefix, sys.executable, *words.split()],
            cwd=ROOT,
            env=os.environ | QUICK | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | environment,
            stderr=subprocess.DEVNULL,
        )
        self.workers.append(worker)
        return worker

    def wait_for(self, workers: int, within_s: float = 100.0) -> None:
        """Until that many are there, or fewer again."""
        end = time.monotonic() + within_s
        with Client(self.url, set_as_default=False) as client:
            while len(client.scheduler_info(n_workers=-1)["workers"]) != workers:
                if time.monotonic() > end:
                    raise TimeoutError(f"The cluster did not come to {workers} workers within {within_s:g} s.")
                time.sleep(0.05)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in (*self.workers, self.scheduler):
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()
