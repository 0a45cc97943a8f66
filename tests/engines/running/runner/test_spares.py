import sys
import time
from collections.abc import Iterator

import pytest

from engines.documents.problems import make_problem
from engines.running.runner import spares
from engines.running.runner.client import RunnerProcess, keep_spare
from engines.running.runner.spares import Spare

ECHO = (sys.executable, "-c", "import sys; print(sys.stdin.read())")


@pytest.fixture
def spare() -> Iterator[Spare]:
    one = Spare(replace_after_s=0.05)
    yield one
    one.close()


def waiting_pid(spare: Spare) -> int:
    deadline = time.monotonic() + 60
    while spare._waiting is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert spare._waiting is not None
    return spare._waiting.pid


def test_the_waiting_child_is_taken_and_replaced(spare: Spare) -> None:
    spare.fill(ECHO, {})
    first = waiting_pid(spare)
    taken = spare.take(ECHO, {})
    assert taken.pid == first
    assert taken.communicate(b"hello")[0] == b"hello\n"
    assert waiting_pid(spare) != first


def test_one_of_another_environment_is_not_taken(spare: Spare) -> None:
    spare.fill(ECHO, {})
    first = waiting_pid(spare)
    with spare.take(ECHO, {"A": "1"}) as taken:
        assert taken.pid != first
        taken.communicate(b"")
    with spare.take(ECHO, {"A": "1"}) as taken:
        taken.communicate(b"")


def test_one_that_died_while_it_waited_is_not_taken(spare: Spare) -> None:
    spare.fill(ECHO, {})
    assert spare._waiting is not None
    spare._waiting.kill()
    spare._waiting.wait()
    assert spare.take(ECHO, {}).communicate(b"alive")[0] == b"alive\n"


def test_a_closed_spare_starts_no_other(spare: Spare) -> None:
    spare.fill(ECHO, {})
    spare.close()
    spare.take(ECHO, {}).communicate(b"")
    time.sleep(0.2)
    assert spare._waiting is None


def test_a_run_takes_the_waiting_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spares, "_spares", {})
    spare = keep_spare()
    try:
        pid = waiting_pid(spare)
        with RunnerProcess(make_problem("toy", {}, {"steps": 2})) as process:
            assert process.pid == pid
            frames = [frame for frame in process.frames(0.2) if frame is not None]
        assert process.ending.status == "done"
        kinds = [frame.kind for frame in frames if frame.kind != "explanation"]
        assert kinds == ["started", "step", "step", "searched", "done"]
    finally:
        spare.close()
