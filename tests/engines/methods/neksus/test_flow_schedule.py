"""Bars of a frame under the three data flows against its times."""

import itertools

import numpy as np
import pytest

from engines.methods.neksus.dataflow import traffic_of
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.flow_schedule import flow_schedule
from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.params import FLOWS
from tests.engines.methods.neksus.problems import neksus_problem

INSTANCE = instance_of(neksus_problem({"applications": "", "own_chains": "vd-img-dc 1 10 50"}))
APART = tuple((name,) for name in INSTANCE.system.blocks)
TRAFFIC = {
    flow: traffic_of(INSTANCE.system, INSTANCE.chains, PackageDesign("crossbar", APART, 1, 6, 128, flow, frozenset()))
    for flow in FLOWS
}


def test_every_data_flow_is_a_window_as_long_as_its_frame() -> None:
    schedule = flow_schedule(INSTANCE, TRAFFIC)
    assert [window.title for window in schedule.windows] == list(FLOWS.values())
    for window, traffic in zip(schedule.windows, TRAFFIC.values(), strict=True):
        assert window.end_s - window.start_s == pytest.approx(traffic.latency_s)
    assert all(a.end_s < b.start_s for a, b in zip(schedule.windows, schedule.windows[1:], strict=False))


def test_via_memory_blocks_follow_each_other_and_in_a_pipeline_they_overlap() -> None:
    schedule = flow_schedule(INSTANCE, TRAFFIC)
    blocks = [number for number, lane in enumerate(schedule.lanes) if "network to" not in lane.title]
    assert len(blocks) == 3
    spans = {}
    for number, flow in enumerate(FLOWS):
        rows = [
            int(np.flatnonzero((schedule.bar_window == number) & (schedule.bar_lane == lane))[0]) for lane in blocks
        ]
        spans[flow] = [(schedule.bar_start_s[row], schedule.bar_end_s[row]) for row in rows]
    memory, direct = spans["memory"], spans["direct"]
    assert all(a[1] == pytest.approx(b[0]) for a, b in itertools.pairwise(memory))
    assert all(b[0] < a[1] < b[1] for a, b in itertools.pairwise(direct))
    assert memory[-1][1] - memory[0][0] == pytest.approx(TRAFFIC["memory"].latency_s, rel=1e-3)  # but a packet's way
