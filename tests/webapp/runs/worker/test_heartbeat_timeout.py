"""The watch over processes that tell nothing, by a clock of the test's own."""

from __future__ import annotations

from webapp.runs.worker.heartbeat_timeout import MOST_BETWEEN_LOOKS_S, HeartbeatTimeout


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_silence_adds_up_until_a_sign_comes() -> None:
    clock = Clock()
    silence = HeartbeatTimeout(10.0, clock)
    for _ in range(9):
        clock.now += 1.0
        assert not silence.lasts_too_long()
    silence.heard()
    clock.now += 1.0
    assert not silence.lasts_too_long()
    for _ in range(8):
        clock.now += 1.0
        assert not silence.lasts_too_long()
    clock.now += 1.0
    assert silence.lasts_too_long()
    assert "0.166667 minutes" in silence.words


def test_a_machine_that_slept_is_no_silence_of_the_process() -> None:
    clock = Clock()
    silence = HeartbeatTimeout(3 * MOST_BETWEEN_LOOKS_S, clock)
    clock.now += 3600.0
    assert not silence.lasts_too_long()
    clock.now += 1.9 * MOST_BETWEEN_LOOKS_S
    assert not silence.lasts_too_long()


def test_without_a_limit_nothing_lasts_too_long() -> None:
    clock = Clock()
    silence = HeartbeatTimeout(None, clock)
    for _ in range(100_000):
        clock.now += MOST_BETWEEN_LOOKS_S
    assert not silence.lasts_too_long()
