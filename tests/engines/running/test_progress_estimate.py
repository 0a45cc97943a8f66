"""How long a run still takes; the clock is handed in."""

from __future__ import annotations

import pytest

from engines.running.progress_estimate import left_s


def steady(
    seconds: float, fraction: float, count: int, at_s: float = 0.0, done: float = 0.0
) -> list[tuple[float, float]]:
    return [(at_s + number * seconds, done + number * fraction) for number in range(count)]


def test_a_steady_run_takes_what_it_took_so_far() -> None:
    assert left_s(steady(1.0, 0.01, 51), 50.0, 50.0) == pytest.approx(50.0)
    assert left_s(steady(1.0, 0.01, 51), 50.0, 50.5) == pytest.approx(49.5)


def test_a_load_that_is_gone_no_longer_counts() -> None:
    """80 % in 40 minutes beside others, then 1 % in five seconds: minutes by the mean, half a minute by the speed of late."""
    marks = [*steady(30.0, 0.01, 81), *steady(1.0, 0.002, 71, at_s=2401.0, done=0.802)]
    assert left_s(marks, marks[-1][0], marks[-1][0]) == pytest.approx((1 - marks[-1][1]) / 0.002, rel=0.01)


def test_marks_of_one_attempt_alone_count_so_that_an_outage_tells_nothing() -> None:
    hours_later = steady(2.0, 0.01, 11, at_s=5 * 3600.0, done=0.5)
    assert left_s(hours_later, 120.0, 5 * 3600.0 + 20.0) == pytest.approx(80.0)
    assert left_s(hours_later[:1], 100.0, 5 * 3600.0) == pytest.approx(100.0)


def test_slow_reports_tell_by_the_newest_two() -> None:
    assert left_s([(0.0, 0.1), (200.0, 0.2), (500.0, 0.3)], 500.0, 500.0) == pytest.approx(2100.0)


def test_an_overdue_report_makes_the_rest_longer() -> None:
    marks = steady(1.0, 0.1, 6)
    assert left_s(marks, 5.0, 6.0) == pytest.approx(4.0)
    assert left_s(marks, 5.0, 15.0) == pytest.approx(13.0)


def test_without_a_report_or_progress_nothing_is_told() -> None:
    assert left_s([], 10.0, 0.0) is None and left_s([(0.0, 0.0)], 10.0, 1.0) is None
    assert left_s([(0.0, 0.5)], 0.0, 1.0) is None
    assert left_s([(0.0, 1.0)], 10.0, 1.0) == 0.0
