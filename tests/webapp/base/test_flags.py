"""Handlers of signals that meet each other."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.bursts import burst

ROOT = Path(__file__).parents[3]
WAITS = """
import signal, sys, threading
sys.path.append("webapp/base")  # alone, as quickly as can be
from flags import Flag
flag = Flag()
signal.signal(signal.SIGTERM, lambda *_: flag.set())
waiting = [threading.Thread(target=flag.wait, args=(60,)) for _ in range(3)]
for each in waiting: each.start()
print("ready", flush=True)
sys.exit(not flag.wait(60))
"""
# A signal comes at every line that a handler executes, in whatever it calls.
AT_EVERY_LINE = """
import faulthandler, os, signal, sys
from types import SimpleNamespace
faulthandler.dump_traceback_later(30, exit=True)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
import django; django.setup()
import webapp.runs.worker.worker
from celery.apps.worker import install_worker_term_handler
from webapp.runs.foreground import _signals
from webapp.base import flags
from webapp.site import celery, file_queue

def interrupted(number):
    came = []
    def trace(frame, event, _):
        if event == "line":
            came.append(signal.raise_signal(number))
        return trace
    sys.settrace(trace)
    signal.raise_signal(number)
    sys.settrace(None)
    return len(came)

assert not flags.leaving.is_set()
install_worker_term_handler(SimpleNamespace(hostname="here"))
assert interrupted(signal.SIGTERM) > 10 and flags.leaving.is_set()
with _signals() as told:
    assert interrupted(signal.SIGTERM) and interrupted(signal.SIGINT)
    assert told.leave.is_set() and told.stop.is_set()
"""


@pytest.mark.parametrize("times", [3, pytest.param(50, marks=[pytest.mark.chaos, pytest.mark.long])])
def test_a_burst_of_signals_sets_a_flag_and_wakes_who_waits(times: int) -> None:
    chance = random.Random(6)
    for _ in range(times):
        with subprocess.Popen([sys.executable, "-c", WAITS], cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline() == b"ready\n"
            burst(process.pid, chance)
            assert process.wait(30) == 0


def test_a_handler_that_is_interrupted_by_itself_at_every_line_comes_to_its_end() -> None:
    found = subprocess.run([sys.executable, "-c", AT_EVERY_LINE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr[-3000:]


def test_only_these_modules_handle_signals() -> None:
    handles = re.compile(r"signal\.signal\(|worker_shutting_down\.connect|@worker_shutting_down")
    parts = ("agent", "client", "engines", "frontend", "hardware", "paretoscope", "tools", "webapp")
    files = (file for part in parts for file in (ROOT / part).rglob("*.py"))
    found = {str(file.relative_to(ROOT)) for file in files if handles.search(file.read_text())}
    assert found == {"paretoscope/supervisor.py", "webapp/runs/foreground.py", "webapp/runs/pull/pull_worker.py"}
