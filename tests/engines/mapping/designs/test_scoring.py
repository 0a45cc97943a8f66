from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.cost.soc.clocks import ClockSettings
from engines.mapping.designs.scoring import columns_of, costs_of, mapped_designs
from engines.mapping.solver.unit_costs import MappingLimits, MappingScores
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


def test_columns_by_hand_and_blocks_on_barred_units_break_a_limit_by_their_share() -> None:
    instance = instance_of(mapping_problem(None, tiny_network()))
    allowed = np.ones_like(instance.allowed)
    allowed[2:4, 1] = False
    instance = replace(instance, allowed=allowed, limits=MappingLimits(latency_s=2.0))
    units = np.array([[0] * 6, [1, 1, 0, 0, 1, 1], [0] * 6, [0, 0, 0, 1, 0, 0], [0, 0, 1, 1, 0, 0]])
    scores = MappingScores(np.array([1.5, 4, 0, 1, 1]), np.array([6.0, 2, 0, 1, 1]), np.array([0, 3, 5, 1, 1]))
    columns = columns_of(instance, units, scores)
    assert {name: values.tolist() for name, values in columns.items()} == {
        "latency_s": [1.5, 4, 0, 1, 1], "energy_j": [6, 2, 0, 1, 1], "power_w": [4, 0.5, 0, 1, 1], "edp_js": [9, 8, 0, 1, 1],
        "transitions": [0, 3, 5, 1, 1], "limit_slack": [0.25, -1, 1, -1 / 6, -2 / 6],
    }  # fmt: skip


def test_a_mapping_of_the_search_is_the_same_as_one_s_own() -> None:
    problem = mapping_problem({"clocks": "searched", "clock_steps": 2}, tiny_network())
    instance = instance_of(problem)
    found = mapped_designs(instance, np.array([[0, 1, 1, 0, 0, 0]] * 2), np.array([0, 3]), ["first", "last"])
    again = evaluate(problem, found.decisions)
    assert found.label == ("first", "last") and again.decisions == found.decisions
    for name, values in found.columns.items():
        np.testing.assert_array_equal(again.columns[name], values)


def test_a_setting_of_the_search_has_its_costs_and_another_one_its_own() -> None:
    instance = instance_of(mapping_problem({"clocks": "searched", "clock_steps": 2}, tiny_network()))
    known = {name: hz[3:4] for name, hz in instance.settings.frequencies_hz.items()}
    assert costs_of(instance, ClockSettings(known)) == (instance.costs, 3)
    costs, place = costs_of(instance, ClockSettings({name: 0.75 * hz for name, hz in known.items()}))
    assert (costs.settings, place) == (1, 0) and (costs.latency_s > instance.costs.latency_s[..., 3:4]).all()


def test_decisions_keep_the_clocks_that_were_given_and_name_those_of_governors() -> None:
    clocks: list[dict[str, Any]] = [{}, {"clocks_mhz": {"gpu": 520}}, {"clocks_mhz": "governor"}]
    given = [{"units": ["gpu"] * 6, **each} for each in clocks]
    decided = [each["clocks_mhz"] for each in evaluate(mapping_problem(None, tiny_network()), given).decisions]
    assert decided[:2] == [{}, {"gpu": 520}] and (decided[2]["gpu"], decided[2]["memory"]) == (1377, 2133)
