"""The bars of a schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.explain import explain_schedule
from engines.chiplets.problem.decision import PackageSchedule, Placement, Window
from engines.chiplets.problem.tables import ScenarioTables
from engines.contract.results import Schedule
from tests.engines.chiplets.cases import tables
from tests.engines.chiplets.test_explain import explained


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
    pairs = zip(schedule.dependency_from, schedule.dependency_to, strict=True)
    assert [tuple(schedule.labels[schedule.bar_label[bar]] for bar in pair) for pair in pairs] == [
        ("a layer 0, output", "a layer 1, weights"), *2 * [("a layer 0, output", "a layer 1")],
        ("a layer 1", "a layer 2, input"),
    ]  # fmt: skip


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


def bars_of(built: ScenarioTables, *windows: Window) -> tuple[Schedule, list[tuple[str, str, int, int, float, float]]]:
    """The schedule and its bars as label, kind, lane, sample, start and end."""
    schedule = PackageSchedule(windows)
    results = {result.name: result for result in explain_schedule(built, schedule, Scorer(built))}
    found = results["schedule"]
    assert isinstance(found, Schedule)
    columns = (found.bar_label, found.bar_kind, found.bar_lane, found.bar_sample, found.bar_start_s, found.bar_end_s)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return found, [(found.labels[label], found.kinds[kind], *rest) for label, kind, *rest in rows]


def test_bars_of_two_windows_by_hand() -> None:
    # Layers 0 and 1 on chiplet 0: input 4 s, weights 20 / 5 + 2 = 6 s, compute 8 s. Then layer 2 on chiplet 1: 10 B from chiplet 0
    # in 2 s, weights 5 s, compute 1 s, output 7 s.
    built = tables({"a": [[3, 5, 7], [6, 6, 1]]})
    found, bars = bars_of(built, (Placement(0, 0, (2,), (0,)),), (Placement(0, 2, (3,), (1,)),))
    assert bars == [
        ("a layers 0-1, input", "off-chip transfer", 0, 0, 0, 4),
        ("a layers 0-1, weights", "off-chip transfer", 0, 0, 4, 10),
        ("a layers 0-1", "compute", 0, 0, 10, 18),
        ("a layer 2, input", "transfer", 1, 0, 18, 20),
        ("a layer 2, weights", "off-chip transfer", 1, 0, 20, 25),
        ("a layer 2", "compute", 1, 0, 25, 26),
        ("a layer 2, output", "off-chip transfer", 1, 0, 26, 33),
    ]
    assert [(window.title, window.start_s, window.end_s) for window in found.windows] == [
        ("Window 1", 0, 18), ("Window 2", 18, 33),
    ]  # fmt: skip
    assert (found.dependency_from.tolist(), found.dependency_to.tolist()) == ([2], [3])


@pytest.mark.parametrize(
    ("params", "batch", "samples"),
    [
        ({}, 1, {0}), ({}, 3, {0, 1, 2}), ({"mini_batch": 2}, 4, {0, 2}),
        ({"latency_reading": "pipelined_maximum"}, 3, {-1}), ({"latency_reading": "pipelined_maximum"}, 1, {0}),
    ],
)  # fmt: skip
def test_a_bar_says_which_sample_it_begins_with(params: dict[str, Any], batch: int, samples: set[int]) -> None:
    found, _ = bars_of(tables({"a": [[3], [6]]}, params, batch=batch), (Placement(0, 0, (1,), (0,)),))
    assert set(found.bar_sample.tolist()) == samples
