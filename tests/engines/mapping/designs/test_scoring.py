from __future__ import annotations

import pytest

from engines.methods.soc_mapping.problem.instance import instance_of
from engines.running.inspection import evaluate
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


def test_a_mapping_of_one_s_own_is_scored_at_the_highest_clocks_or_at_given_ones() -> None:
    problem = mapping_problem(None, tiny_network())
    units = ["gpu", "gpu", "dla", "dla", "dla", "gpu"]
    slow = {"gpu": 520, "dla": 550, "memory": 1065}
    designs = evaluate(problem, [{"units": units}, {"units": units, "clocks_mhz": slow}])
    instance = instance_of(problem)
    numbers = [instance.units.index(unit) for unit in units]
    costs = instance.costs
    by_hand = sum(costs.latency_s[block, unit, 0] for block, unit in enumerate(numbers))
    by_hand += costs.handover_s[1, 0] + costs.handover_s[4, 0]
    assert designs.columns["latency_s"][0] == pytest.approx(by_hand, rel=1e-12)
    assert designs.columns["transitions"].tolist() == [2, 2]
    assert designs.columns["latency_s"][1] > designs.columns["latency_s"][0]
    assert designs.columns["power_w"][1] < designs.columns["power_w"][0]
