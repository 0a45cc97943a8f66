"""Long writers leave the lock free for several times as long as they hold it."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from webapp.runs.storage import paced_writes
from webapp.runs.storage.paced_writes import LONGEST_PAUSE_S, PAUSE_SHARE, in_turn


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    # A clock of the module alone: other threads of this process sleep for themselves.
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=found.append)
    monkeypatch.setattr(paced_writes, "time", clock)
    return found


def test_the_pause_is_a_multiple_of_what_the_write_took(slept: list[float]) -> None:
    def write() -> str:
        until = time.monotonic() + 0.02
        while time.monotonic() < until:
            pass
        return "written"

    assert in_turn(write) == "written"
    assert PAUSE_SHARE * 0.02 <= slept[0] <= LONGEST_PAUSE_S


def test_after_a_write_that_failed_others_have_their_turn_too(slept: list[float]) -> None:
    with pytest.raises(ZeroDivisionError):
        in_turn(lambda: 1 // 0)
    assert len(slept) == 1
