"""The bars of a schedule."""

from __future__ import annotations

import numpy as np
import pytest

from engines.results import Schedule
from tests.engines.methods.scar.test_explain import explained


@pytest.mark.parametrize("reading", ["fill_drain", "pipelined_maximum", "end_to_end"])
@pytest.mark.parametrize("loading", ["once_per_window", "every_mini_batch"])
def test_bars_do_not_overlap_and_stay_in_their_window(reading: str, loading: str) -> None:
    _, _, results = explained(latency_reading=reading, weight_loading=loading)
    schedule = results["schedule"]
    assert isinstance(schedule, Schedule)
    for lane in range(6):
        on_lane = np.flatnonzero(schedule.bar_lane == lane)
        order = on_lane[np.argsort(schedule.bar_start_s[on_lane])]
        assert (schedule.bar_start_s[order[1:]] >= schedule.bar_end_s[order[:-1]] - 1e-9).all()
    for bar, window in enumerate(schedule.bar_window):
        assert schedule.bar_start_s[bar] >= schedule.windows[window].start_s
        assert schedule.bar_end_s[bar] <= schedule.windows[window].end_s * (1 + 1e-12)


def test_a_dependent_block_starts_after_the_one_it_waits_for() -> None:
    _, _, results = explained()
    schedule = results["schedule"]
    assert isinstance(schedule, Schedule)
    assert len(schedule.dependency_from) == 3 + 1  # three samples from segment 0 to 1, one window to the next
    ends = schedule.bar_end_s[schedule.dependency_from]
    assert (schedule.bar_start_s[schedule.dependency_to] >= ends - 1e-9).all()
    assert set(schedule.bar_sample.tolist()) == {0, 1, 2}


def test_one_block_per_sample_with_its_transfers() -> None:
    _, _, results = explained()
    schedule = results["schedule"]
    assert isinstance(schedule, Schedule)
    bars = [
        (schedule.kinds[kind], schedule.labels[label])
        for lane, window, kind, label in zip(
            schedule.bar_lane, schedule.bar_window, schedule.bar_kind, schedule.bar_label, strict=True
        )
        if lane == 0 and window == 0
    ]
    assert bars.count(("compute", "a layer 0")) == 3
    assert bars.count(("off-chip transfer", "a layer 0, weights")) == 1
    assert bars.count(("off-chip transfer", "a layer 0, input")) == 3
    assert bars.count(("transfer", "a layer 0, output")) == 3


def test_fill_and_drain_bars_end_with_the_formula_where_weights_come_with_every_mini_batch() -> None:
    _, scores, results = explained(weight_loading="every_mini_batch")
    schedule = results["schedule"]
    assert isinstance(schedule, Schedule)
    assert schedule.bar_end_s.max() == pytest.approx(scores["latency_s"])
