from __future__ import annotations

import sys
from pathlib import Path

from engines.contract.engine import Resume
from engines.exploration import explore
from engines.running.runner.client import RunnerProcess
from tests.engines.running.runner.children_for_tests import QUICK_S, toy_problem


def test_what_an_engine_prints_is_kept_apart() -> None:
    with RunnerProcess(toy_problem(crash_at=1, crash_kind="flood")) as process:
        for _ in process.frames(QUICK_S):
            if len(process.stderr_tail()) > 60_000:
                process.kill()
    assert process.ending.reason == "killed"  # and not "protocol": nothing of it came into the frames
    assert set(process.stderr_tail()) == set("flood \n")


def test_one_that_does_not_read_keeps_nobody_waiting(tmp_path: Path) -> None:
    script = tmp_path / "deaf.py"
    script.write_text("import time; time.sleep(600)")
    designs = explore("toy", params={"designs_per_step": 2000, "steps": 3}).designs
    with RunnerProcess(toy_problem(), Resume(b"x", designs), command=(sys.executable, str(script))) as process:
        process.request_stop()
        assert next(process.frames(QUICK_S)) is None
