from __future__ import annotations

import time
from typing import Any

import psutil

from engines.contract.engine import Problem
from engines.documents.problems import make_problem
from engines.running.runner.client import RunnerProcess
from engines.running.runner.protocol import Frame

QUICK_S = 0.1


FOR_EVER_S = 600.0  # longer than any test may take: a test that waits for it is ended by the limit of the tests


def toy_problem(**params: Any) -> Problem:
    return make_problem("toy", {}, {"steps": 4, "designs_per_step": 5} | params, seed=7)


def collect(process: RunnerProcess, patience_s: float = 100.0) -> list[Frame]:
    """All frames; kills a child that takes longer."""
    deadline, frames = time.monotonic() + patience_s, []
    for frame in process.frames(QUICK_S):
        if frame is not None:
            frames.append(frame)
        if time.monotonic() > deadline:
            process.kill()
    return frames


def gone(pid: int, within_s: float = 60.0) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False
