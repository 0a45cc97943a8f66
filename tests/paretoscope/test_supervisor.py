import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paretoscope import supervisor
from paretoscope.supervisor import Interruption, Service
from tests.support.bursts import burst

ROOT = Path(__file__).resolve().parents[2]
SLEEPER = "import time; time.sleep(600)"


@pytest.fixture(autouse=True)
def _others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the process of the tests has started before, a browser above all, is none of the supervisor's."""
    found, before = supervisor.children_of, set(supervisor.children_of(os.getpid()))
    monkeypatch.setattr(supervisor, "children_of", lambda parent: [pid for pid in found(parent) if pid not in before])


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition, seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_call_keeps_output_and_status() -> None:
    result = supervisor.call([sys.executable, "-c", "print('words'); raise SystemExit(3)"])
    assert (result.stdout, result.returncode) == ("words\n", 3)


def test_an_interrupted_call_ends_what_it_started(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    code = (
        f"import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', '{SLEEPER}']); "
        f"open({str(note)!r}, 'w').write(str(child.pid)); child.wait()"
    )

    def interrupt() -> None:
        if note.exists() and note.read_text():
            raise Interruption

    with pytest.raises(Interruption):
        supervisor.call([sys.executable, "-c", code], interrupt)
    assert wait_for(lambda: not is_alive(int(note.read_text())))


def test_a_service_that_ends_is_started_again_later_each_time(tmp_path: Path) -> None:
    service = Service("web", [sys.executable, "-c", "print('last words'); raise SystemExit(3)"], tmp_path / "web.log")
    service.start()
    assert service.process
    service.process.wait()
    message = service.tend()
    assert "web ended with status 3; starting it again in 1 s" in message
    assert service.tend() == "", "not before the second is over"
    assert service.starts == 1
    service.next_start = 0.0
    service.tend()
    assert service.starts == 2
    service.process.wait()
    assert "in 2 s" in service.tend()
    assert service.tail() == "last words\nlast words"


def test_a_killed_service_is_reported_by_its_signal(tmp_path: Path) -> None:
    service = Service("worker 1", [sys.executable, "-c", SLEEPER], tmp_path / "log")
    service.start()
    assert service.process
    service.process.kill()
    service.process.wait()
    assert "worker 1 was ended by SIGKILL" in service.tend()


def test_stop_kills_what_does_not_listen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Service, "grace_s", 0.3)
    ready = tmp_path / "ready"
    code = f"import signal, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN); pathlib.Path({str(ready)!r}).touch(); {SLEEPER}"
    service = Service("web", [sys.executable, "-c", code], tmp_path / "log")
    service.start()
    assert service.process
    assert wait_for(ready.exists)
    with subprocess.Popen(["sleep", "600"]) as other:
        supervisor.stop([service])
        assert other.poll() is None, "only the services end"
        other.kill()
    assert service.process.returncode == -signal.SIGKILL


SCRIPT = """
import sys, time
from pathlib import Path
from paretoscope import supervisor
from paretoscope.supervisor import Service, Interruption
supervisor.adopt_orphans()
supervisor.heed_signals()
folder = Path(sys.argv[1])
# A grandchild in a session of its own, whose parent ends at once: nobody but the adopting ancestor can find it.
code = '''
import subprocess, sys
p = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
open(sys.argv[1] + "/grandchild", "w").write(str(p.pid))
import time; time.sleep(float(sys.argv[2]))
'''
service = Service("child", [sys.executable, "-c", code, str(folder), sys.argv[2]], folder / "log")
service.start()
(folder / "child").write_text(str(service.process.pid))
try:
    while True:
        supervisor.pause(0.05)
except Interruption:
    supervisor.stop([service])
"""


def run_script(folder: Path, child_seconds: str) -> tuple[subprocess.Popen[bytes], int, int]:
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder), child_seconds], cwd=ROOT)
    for name in ("child", "grandchild"):
        assert wait_for(lambda name=name: (folder / name).exists() and (folder / name).read_text() != "")
    return process, int((folder / "child").read_text()), int((folder / "grandchild").read_text())


@pytest.mark.skipif(sys.platform != "linux", reason="adopting orphans needs Linux")
@pytest.mark.parametrize("child_seconds", ["0", "600"])
def test_stop_finds_a_grandchild_in_a_session_of_its_own(tmp_path: Path, child_seconds: str) -> None:
    process, child, grandchild = run_script(tmp_path, child_seconds)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert not is_alive(child)
    assert not is_alive(grandchild)


PATIENT = "trap 'sleep 0.2; echo ended in order; exit' TERM; echo ready; while :; do sleep 0.05; done"
WITH_PATIENT = """
import sys
from pathlib import Path
from paretoscope import supervisor
supervisor.heed_signals()
service = supervisor.Service("patient", ["sh", "-c", sys.argv[2]], Path(sys.argv[1]))
service.start()
try:
    while True:
        supervisor.pause(0.05)
except supervisor.Interruption:
    supervisor.stop([service])
"""


@pytest.mark.parametrize("times", [2, pytest.param(50, marks=[pytest.mark.chaos, pytest.mark.long])])
def test_a_burst_of_signals_is_one_wish_and_leaves_services_their_time(tmp_path: Path, times: int) -> None:
    chance = random.Random(7)
    for number in range(times):
        log = tmp_path / f"{number}.log"
        process = subprocess.Popen([sys.executable, "-c", WITH_PATIENT, str(log), PATIENT], cwd=ROOT)
        assert wait_for(lambda log=log: log.exists() and "ready" in log.read_text())
        burst(process.pid, chance)
        assert process.wait(60) == 0
        assert "ended in order" in log.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's notice of a parent's death needs Linux")
def test_a_child_dies_with_a_killed_supervisor(tmp_path: Path) -> None:
    process, child, grandchild = run_script(tmp_path, "600")
    process.kill()
    process.wait()
    assert wait_for(lambda: not is_alive(child))
    os.kill(
        grandchild, signal.SIGKILL
    )  # on its own by design of this test: it neither watches its parent nor its input
