from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest

from engines.contract.results import Result, Schedule, Table
from engines.methods.map_and_conquer.decision import decoded, evaluated
from engines.methods.map_and_conquer.explain.design_results import explain_design
from engines.methods.map_and_conquer.problem.instance import CutInstance, instance_of
from tests.engines.methods.map_and_conquer.problems import cut_problem

Kind = TypeVar("Kind", bound=Result)


DECISION = {"units": ["dla", "gpu"], "partition": [[2, 2, 2, 2], [2, 2, 2, 2]], "reuse": [[1, 0, 1, 1]]}


@pytest.fixture(scope="module")
def instance() -> CutInstance:
    return instance_of(cut_problem({"partition_steps": 4, "clocks": "fixed"}))


def the(kind: type[Kind], results: tuple[Result, ...], name: str) -> Kind:
    return next(each for each in results if isinstance(each, kind) and each.name == name)


def test_bars_of_a_unit_follow_each_other(instance: CutInstance) -> None:
    results = explain_design(instance, decoded(instance, DECISION))
    schedule = the(Schedule, results, "schedule")
    assert [lane.id for lane in schedule.lanes] == ["dla", "gpu"]
    waited = []
    for lane in range(2):
        own = np.flatnonzero(schedule.bar_lane == lane)
        order = own[np.argsort(schedule.bar_start_s[own], kind="stable")]
        gaps = schedule.bar_start_s[order[1:]] - schedule.bar_end_s[order[:-1]]
        assert schedule.bar_start_s[order[0]] == 0 and (gaps > -1e-12).all()
        moved = own[schedule.bar_kind[own] == 1]
        waited.append(gaps.sum() + (schedule.bar_end_s[moved] - schedule.bar_start_s[moved]).sum())
    # The faster unit comes second here: it waits for features, which then are moved.
    layers = the(Table, results, "layers")
    told = [np.sum(column.values) for column in layers.table_columns if "waits" in column.title]
    assert waited == pytest.approx(told) and waited[0] == pytest.approx(0) and waited[1] > 0
    whole = evaluated(instance, [decoded(instance, DECISION)])["whole_latency_s"][0]
    assert schedule.bar_end_s.max() == pytest.approx(whole)


def test_nothing_begins_before_what_it_depends_on_has_ended(instance: CutInstance) -> None:
    schedule = the(Schedule, explain_design(instance, decoded(instance, DECISION)), "schedule")
    ends = schedule.bar_end_s[schedule.dependency_from]
    assert (schedule.bar_start_s[schedule.dependency_to] >= ends - 1e-12).all()
    between = schedule.bar_lane[schedule.dependency_from] != schedule.bar_lane[schedule.dependency_to]
    assert between.sum() == 3  # one for each feature that is reused
