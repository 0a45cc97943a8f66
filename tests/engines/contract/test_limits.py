"""Limits by hand: the room to them, which cannot be kept, what is told of it before the start and after the search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.designs import Designs
from engines.contract.engine import Bound
from engines.contract.limits import (
    Limit,
    allowed_by,
    limit_checks,
    message_of,
    minimum_slack,
    nearest,
    ruled_out,
    unmet,
)
from engines.contract.numeric.milli_units import in_thousandths
from engines.methods.soc_mapping.params import SocMappingParams
from engines.running.inspection import plan as plan_of
from tests.engines.methods.magnas.problems import search_problem as magnas_problem
from tests.engines.methods.sbrs.search.problems import search_problem
from tests.engines.methods.soc_mapping.problems import mapping_problem

LATENCY = Limit("latency_limit_s", "latency_s", "latency", "s")
MEMORY = Limit("memory_limit_mb", "memory_bytes", "memory", "MB", scale=1e6)
SPEED = Limit("speed_demand_fps", "speed_fps", "speed", "fps", upper=False)
POWER = Limit("power_limit_w", "energy_j", "average power", "W", per="latency_s")
COLUMNS = {
    "latency_s": np.array([1.0, 2.0, 4.0]), "memory_bytes": np.array([8e6, 4e6, 2e6]), "speed_fps": np.array([4.0, 2.0, 1.0]),
    "energy_j": np.array([1.0, 1.0, 1.0]),
}  # fmt: skip
DESIGNS = Designs(COLUMNS, [{}, {}, {}])


def test_the_least_room_is_a_share_of_the_limit() -> None:
    np.testing.assert_array_equal(minimum_slack({}, COLUMNS), [1, 1, 1])
    np.testing.assert_array_equal(minimum_slack({LATENCY: 2.0}, COLUMNS), [0.5, 0.0, -1.0])
    np.testing.assert_array_equal(minimum_slack({MEMORY: 4.0}, COLUMNS), [-1.0, 0.0, 0.5])
    np.testing.assert_array_equal(minimum_slack({SPEED: 2.0}, COLUMNS), [1.0, 0.0, -0.5])
    np.testing.assert_array_equal(minimum_slack({POWER: 0.5}, COLUMNS), [-1.0, 0.0, 0.5])
    np.testing.assert_array_equal(minimum_slack({LATENCY: 2.0, MEMORY: 4.0}, COLUMNS), [-1.0, 0.0, -1.0])
    assert minimum_slack({LATENCY: 2.0}, {"latency_s": 1.0}) == 0.5
    assert minimum_slack({LATENCY: 0.0}, {"latency_s": 3.0}) == -3.0  # a limit of nothing: room in its own unit


def test_a_quotient_is_limited_exactly_where_its_product_is() -> None:
    latency_s, energy_j = 0.1, 0.3  # whose quotient is 2.9999999999999996 W
    assert minimum_slack({POWER: energy_j / latency_s}, {"latency_s": latency_s, "energy_j": energy_j}) == 0
    assert POWER.values({"latency_s": latency_s, "energy_j": energy_j}) == energy_j / latency_s


def test_what_is_not_set_limits_nothing() -> None:
    assert allowed_by((LATENCY, POWER), SocMappingParams()) == {}
    assert allowed_by((LATENCY, POWER), SocMappingParams(power_limit_w=2)) == {POWER: 2.0}


@given(st.floats(1e-6, 1e9))
def test_what_is_told_can_be_kept(value: float) -> None:
    most, least = MEMORY.words(value), SPEED.words(value)
    assert float(most.partition("\u00a0")[0]) >= value >= float(least.partition("\u00a0")[0])
    assert LATENCY.words(value) == in_thousandths(value, "s") and most.endswith("MB") and least.endswith("fps")


def test_a_bound_beyond_a_limit_rules_it_out() -> None:
    bounds = (Bound("memory_bytes", "Memory", 3e6, "B"), Bound("speed_fps", "Speed", 5.0, "fps"))
    assert ruled_out({MEMORY: 3.0, SPEED: 5.0, LATENCY: 1.0}, bounds) == {}
    remedied = replace(MEMORY, remedies=(("Choose a smaller space.", "params.space"),))
    found = ruled_out({remedied: 2.0, SPEED: 6.0}, bounds)
    memory, speed = found[remedied], found[SPEED]
    assert (memory.demand, memory.bound, memory.gap, memory.unit) == (3.0, 2.0, 1.0, "MB")
    assert memory.remedies == (
        ("Allow at least 3\u00a0MB; more may be needed.", "params.memory_limit_mb"), ("Choose a smaller space.", "params.space")
    )  # fmt: skip
    assert (speed.demand, speed.bound, speed.gap) == (6.0, 5.0, 1.0)
    assert speed.remedies == (("Ask for at most 5\u00a0fps; less may be needed.", "params.speed_demand_fps"),)
    told = [check.text for check in limit_checks({MEMORY: 2.0, SPEED: 6.0}, bounds)]
    assert told == [
        "Memory of at most 2\u00a0MB: no design needs less than 3\u00a0MB",
        "Speed of at least 6\u00a0fps: no design reaches more than 5\u00a0fps",
    ]
    assert all(check.hopeless and not check.ok for check in limit_checks({MEMORY: 2.0}, bounds))
    assert ruled_out({POWER: 0.1}, (Bound("energy_j", "Energy", 1.0, "J"),)) == {}  # no bound on the quotient


def test_of_one_limit_the_nearest_design_tells_the_demand() -> None:
    found = nearest({LATENCY: 5.0, MEMORY: 1.0}, DESIGNS)
    assert (found.limit, found.demand, found.bound) == ("memory", 2.0, 1.0)
    assert [field for _, field in found.remedies] == ["params.memory_limit_mb"]


def test_of_two_limits_the_demand_is_that_within_the_other() -> None:
    found = nearest({MEMORY: 4.0, LATENCY: 1.5}, DESIGNS)
    assert (found.limit, found.demand, found.bound) == ("latency within the limits on memory", 2.0, 1.5)
    assert found.remedies == (
        ("Allow at least 2000\u00a0ms.", "params.latency_limit_s"), ("Allow at least 8\u00a0MB.", "params.memory_limit_mb")
    )  # fmt: skip
    with pytest.raises(ValueError, match="no design keeps"):
        nearest({MEMORY: 4.0, LATENCY: 2.0}, DESIGNS)


def test_the_smallest_change_may_be_one_of_several_limits_together() -> None:
    # Relaxing one alone: 4 s (300 %) or 8 MB (300 %); both a little: 2 s and 4 MB (100 % each).
    found = nearest({LATENCY: 1.0, MEMORY: 2.0}, DESIGNS)
    assert found.remedies[0] == (
        "Allow at least 2000\u00a0ms of latency and allow at least 4\u00a0MB of memory.",
        "params.latency_limit_s",
    )
    assert [field for _, field in found.remedies[1:]] == ["params.latency_limit_s", "params.memory_limit_mb"]


def test_words_of_a_method_stand_for_the_limits_own() -> None:
    assert (
        unmet(LATENCY, 2.0, 1.0, (MEMORY,), "latency of a mapping").limit
        == "latency of a mapping within the limits on memory"
    )


@pytest.mark.parametrize(
    ("limit", "told"),
    [({"latency_limit_s": 0.001}, "Latency of at most 1\u00a0ms"), ({"energy_limit_j": 0.1}, "Energy of at most 100\u00a0mJ")],
)  # fmt: skip
def test_a_plan_tells_limits_that_its_own_bounds_rule_out(limit: dict[str, float], told: str) -> None:
    plan = plan_of(mapping_problem(limit))
    (line,) = (check for check in plan.checks if not check.ok)
    assert line.text.startswith(f"{told}: no design needs less than ")
    (bound,) = (each for each in plan.bounds if each.title.startswith(told[:6]))
    assert in_thousandths(bound.value, bound.unit) in line.text


def test_limits_of_an_architecture_search_are_told_too() -> None:
    plan = plan_of(magnas_problem({"latency_limit_s": 0.0001}))
    assert any(not check.ok and "no design needs less than" in check.text for check in plan.checks)


def test_what_not_even_the_smallest_network_keeps_is_told_before_the_search() -> None:
    plan = plan_of(search_problem({"memory_limit_mb": 0.0001}))
    assert any(check.hopeless and check.text.startswith("Memory of at most 0.0001\u00a0MB") for check in plan.checks)


def test_a_limit_without_a_unit_is_told_without_a_blank() -> None:
    bumps = Limit("micro_bump_limit", "micro_bumps", "micro-bumps", "")
    found = unmet(bumps, 188.0, 1.0)
    assert found.remedies[0][0] == "Allow at least 188."
    assert message_of(found) == "No design meets the limit on micro-bumps, 188 against 1."
    assert limit_checks({bumps: 1.0}, (Bound("micro_bumps", "Micro-bumps", 188.0, ""),))[0].text == (
        "Micro-bumps of at most 1: no design needs less than 188"
    )


def test_a_bound_that_a_design_has_is_enough() -> None:
    bound = Bound("latency_s", "Latency", 2.0, "s", reached=True)
    assert ruled_out({LATENCY: 1.0}, (bound,))[LATENCY].remedies[0][0] == "Allow at least 2000\u00a0ms."
