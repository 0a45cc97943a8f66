"""The chain that decides when a schedule ends, by hand."""

import numpy as np
import pytest

from engines.contract.results import Lane, Schedule, ScheduleWindow
from engines.why.chain import NO_BAR, deciding_chain


def schedule(
    bars: list[tuple[int, float, float]], needs: tuple[tuple[int, int], ...] = (), end_s: float = 0.0
) -> Schedule:
    """Bars as (lane, start, end) in seconds; `needs` as (before, after)."""
    lanes = tuple(Lane(name, name.upper(), "gpu", 0.5) for name in "ab")
    nothing = np.zeros(len(bars), np.int64)
    windows = (ScheduleWindow("whole", 0.0, end_s),) if end_s else ()
    return Schedule(
        "schedule", "Schedule", lanes, windows, ("net",), ("compute", "transfer"), ("net",),
        np.array([bar[0] for bar in bars], np.int64), np.array([bar[1] for bar in bars]), np.array([bar[2] for bar in bars]),
        nothing, nothing, nothing, nothing, nothing,
        np.array([pair[0] for pair in needs], np.int64), np.array([pair[1] for pair in needs], np.int64),
    )  # fmt: skip


def chain(*args: object, **named: float) -> list[tuple[int, float]]:
    return [(link.bar, pytest.approx(link.seconds)) for link in deciding_chain(schedule(*args, **named))]  # type: ignore[arg-type,misc]


def test_it_follows_what_a_bar_waited_for_and_not_what_ended_beside_it() -> None:
    # Bars 1 and 2 both end as bar 3 starts; it needs bar 2.
    bars = [(0, 0.0, 1.0), (0, 1.0, 3.0), (1, 0.0, 3.0), (0, 3.0, 4.0)]
    assert chain(bars, ((2, 3),)) == [(2, 3.0), (3, 1.0)]
    assert chain(bars) == [(0, 1.0), (1, 2.0), (3, 1.0)]


def test_a_pause_is_a_piece_of_its_own_at_the_beginning_between_and_at_the_end() -> None:
    assert chain([(0, 1.0, 2.0), (1, 2.5, 4.0)], end_s=5.0) == [
        (NO_BAR, 1.0), (0, 1.0), (NO_BAR, 0.5), (1, 1.5), (NO_BAR, 1.0),
    ]  # fmt: skip


def test_bars_without_length_and_schedules_without_bars_make_no_chain() -> None:
    assert chain([(0, 0.0, 1.0), (1, 1.0, 1.0), (0, 1.0, 2.0)]) == [(0, 1.0), (2, 1.0)]
    assert chain([]) == []


def test_bars_that_overlap_on_a_lane_are_not_counted_twice() -> None:
    found = deciding_chain(schedule([(0, 0.0, 2.0), (0, 1.0, 3.0), (0, 3.0, 4.0)]))
    assert sum(link.seconds for link in found) == pytest.approx(4.0)
