from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Lane
from frontend.pages.run.run_reader import bounds_of, designs_of
from frontend.pages.run.why.limiting_factors import (
    IdleShare,
    busiest_of,
    limits_of,
    proven_of,
    waiting_of,
    waiting_words,
)
from tests.frontend.figures.samples import sample_schedule
from tests.support.toy_engine import ToyEngine
from webapp.runs.models import Run


def test_a_limit_is_told_with_its_room_and_binds_where_little_is_left(run: Run) -> None:
    designs = designs_of(run)
    energy = float(designs.columns["energy_j"][3])
    found = limits_of(ToyEngine(), {"energy_limit_j": 2 * energy}, designs, 3)
    assert [(each.room, each.binds) for each in found] == [(pytest.approx(0.5), False)]
    assert limits_of(ToyEngine(), {"energy_limit_j": energy}, designs, 3)[0].binds
    assert limits_of(ToyEngine(), {"of_an_earlier_version": 1}, designs, 3) == []


def test_what_is_proven_says_how_far_it_is_away(run: Run) -> None:
    designs = designs_of(run)
    assert bounds_of(run, designs) == {"energy_j": 1.0}
    energy = float(designs.columns["energy_j"][3])
    assert proven_of({"energy_j": 1.0}, designs, designs.values_of(3))[0].room == pytest.approx((energy - 1.0) / energy)


def test_the_busiest_lane_and_who_waits_come_from_the_schedule() -> None:
    schedule = sample_schedule()
    busiest = max(schedule.lanes, key=lambda lane: lane.busy_fraction)
    assert busiest_of((schedule,))[0].what == f"Busiest lane, {busiest.title}"
    waiting = waiting_of(schedule)
    assert waiting[-1].title == busiest.title
    assert np.all(np.diff([each.idle for each in waiting]) <= 0)
    assert waiting_of(None) == []


def test_lanes_without_work_are_named_apart() -> None:
    lanes = [Lane("a", "GPU", "gpu", 0.75), Lane("b", "DLA", "npu", 0.0)]
    words = waiting_words([IdleShare(lanes[1].title, 1.0), IdleShare(lanes[0].title, 0.25)])
    assert (
        words.replace("\u00a0", " ")
        == "On average 2 lanes wait 62 % of the time; DLA has no work at all; GPU waits 25 %."
    )
    assert waiting_words([]) == ""
