"""Chains on a simulated package: what they get at most, by hand and beside the formula."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Note, Schedule, Table
from engines.methods.neksus.closed_loop import ClosedLoop, closed_loop
from engines.methods.neksus.closed_loop_schedule import closed_loop_schedule
from engines.methods.neksus.explain import explain_package
from engines.methods.neksus.instance import NeksusInstance, instance_of
from engines.methods.neksus.outcome import baselines
from engines.simulation.noc.precompilation import compile_once
from tests.engines.methods.neksus.problems import neksus_problem

PROBLEM = neksus_problem({"applications": "youtube, video-record", "simulate_network": True})
VIDEO, RECORD = 0, 2  # VD-DC, CAM-VE-MMC


@pytest.fixture(scope="module")
def instance() -> NeksusInstance:
    compile_once()
    return instance_of(PROBLEM)


@pytest.fixture(scope="module")
def loop(instance: NeksusInstance) -> ClosedLoop:
    found = closed_loop(instance, next(iter(baselines(instance).values())))
    assert found is not None
    return found


def test_what_a_chain_gets_at_most(loop: ClosedLoop) -> None:
    # The video decoder needs 12 cycles of 2 ns for 64 bytes: 100.5 frames of 26,542,080 bytes in a second.
    assert loop.runs["direct"][VIDEO].frames_per_s == pytest.approx(100.5, rel=0.02)
    assert loop.runs["buffer"][VIDEO].frames_per_s == pytest.approx(100.5, rel=0.02)
    # A ring passes 1,024 bytes in 66 cycles, or the encoder takes 1.125 cycles of 2 ns for 64 bytes: 28.44 GB/s.
    assert loop.runs["direct"][RECORD].frames_per_s * 26_542_080 == pytest.approx(28.44e9, rel=0.02)


def test_the_memory_is_shared_by_all_chains(loop: ClosedLoop) -> None:
    run = loop.runs["memory"][RECORD]
    assert run.outcome.memory_busy == pytest.approx(1.0, abs=0.01)
    # 64 bytes hold the bus 12 cycles of 0.5 ns; the video takes 60 frames, written and read, and the rest is the recording's.
    left = 64 / 12 * 2e9 - 2 * 60 * 26_542_080
    assert run.frames_per_s * 2 * (26_542_080 + 1_658_880) == pytest.approx(left, rel=0.05)


def test_the_schedule_has_all_data_flows_beside_each_other(instance: NeksusInstance, loop: ClosedLoop) -> None:
    schedule = closed_loop_schedule(instance, loop)
    assert [window.title for window in schedule.windows] == ["Via memory", "Via buffer", "Block to block"]
    memory = [number for number, lane in enumerate(schedule.lanes) if lane.id.endswith(": memory")]
    assert len(memory) == 2 and set(schedule.bar_window[np.isin(schedule.bar_lane, memory)]) == {0}
    assert (schedule.bar_end_s > schedule.bar_start_s).all()
    assert all(0 < lane.busy_fraction <= 1 for lane in schedule.lanes)


def test_a_page_has_it_beside_the_formula(instance: NeksusInstance) -> None:
    design = next(iter(baselines(instance).values()))
    results = explain_package(instance, design, PROBLEM.inputs["costs"].content)
    (table,) = (each for each in results if isinstance(each, Table) and each.name == "closed-loop")
    formula, found = (np.asarray(table.table_columns[column].values) for column in (3, 4))
    direct = [number for number, flow in enumerate(table.table_columns[0].values) if flow == "Block to block"]
    assert found[direct] == pytest.approx(formula[direct], rel=0.02)
    assert sum(isinstance(each, Schedule) for each in results) == 1
    assert any(isinstance(each, Note) and each.name == "closed-loop-note" for each in results)
