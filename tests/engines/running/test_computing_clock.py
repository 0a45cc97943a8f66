from __future__ import annotations

from engines.running.computing_clock import ComputingClock


def test_the_clock_begins_with_the_first_step_that_is_asked_for() -> None:
    now = [7.0]
    clock = ComputingClock(5.0, now=lambda: now[0])
    assert clock.used_s == 0.0
    clock.begin()
    now[0] = 11.0
    clock.begin()
    assert clock.used_s == 4.0 and not clock.is_over()
    now[0] = 12.0
    assert clock.is_over() and not ComputingClock(None, now=lambda: now[0]).is_over()


def test_earlier_attempts_count_and_a_limit_that_another_clock_saw_is_believed() -> None:
    limited, free = ComputingClock(60.0, 20.0, lambda: 7.0), ComputingClock(None, 20.0, lambda: 7.0)
    limited.begin()
    assert limited.used_s == free.used_s == 20.0 and limited.left_s == 40.0 and not limited.is_over()
    assert limited.reach() and limited.used_s == 60.0 and limited.left_s == 0.0
    assert limited.is_over() and not limited.is_over(grace_s=1.0)
    assert not free.reach() and free.left_s is None and not free.is_over()
