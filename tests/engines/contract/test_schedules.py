import numpy as np

from engines.contract.results import Lane, ScheduleWindow
from engines.contract.schedules import Bar, busy_shares, schedule_of

BARS = [Bar(0, 0.0, 1.0, "a"), Bar(1, 1.0, 3.0, "b", kind=1, model=1), Bar(0, 3.0, 4.0, "a", window=1, sample=2)]
LANES = [Lane("one", "One", "gpu", 0.5), Lane("two", "Two", "dla", 0.5)]


def test_the_share_of_the_time_in_which_a_lane_has_bars() -> None:
    np.testing.assert_array_equal(busy_shares(BARS, 3, 4.0), [0.5, 0.5, 0.0])
    np.testing.assert_array_equal(busy_shares(BARS, 2, 4.0, kind=0), [0.5, 0.0])


def test_a_schedule_has_the_bars_in_their_order_and_every_label_once() -> None:
    windows = [ScheduleWindow("1", 0.0, 3.0), ScheduleWindow("2", 3.0, 4.0)]
    found = schedule_of(BARS, LANES, windows, ["m", "n"], ["compute", "transfer"], [(0, 1), (1, 2)])
    assert (found.labels, found.bar_label.tolist()) == (("a", "b"), [0, 1, 0])
    assert (found.bar_lane.tolist(), found.bar_kind.tolist(), found.bar_model.tolist()) == (
        [0, 1, 0],
        [0, 1, 0],
        [0, 1, 0],
    )
    assert (found.bar_window.tolist(), found.bar_sample.tolist()) == ([0, 0, 1], [-1, -1, 2])
    assert (found.bar_start_s.tolist(), found.bar_end_s.tolist()) == ([0.0, 1.0, 3.0], [1.0, 3.0, 4.0])
    assert list(zip(found.dependency_from.tolist(), found.dependency_to.tolist(), strict=True)) == [(0, 1), (1, 2)]


def test_bars_may_wait_for_nothing() -> None:
    assert schedule_of(BARS, LANES, [], ["m", "n"], ["compute", "transfer"]).dependency_from.shape == (0,)
