"""Limits in milliseconds and millijoules, and those that a bound rules out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.thousandths import in_thousandths, ruled_out
from engines.running.inspection import plan as plan_of
from tests.engines.methods.magnas.problems import search_problem as magnas_problem
from tests.engines.methods.sbrs.search.problems import search_problem
from tests.engines.methods.soc_mapping.problems import mapping_problem


def test_four_digits_rounded_up() -> None:
    assert in_thousandths(0.0232891, "s") == "23.29\u00a0ms" and in_thousandths(0.2, "J") == "200\u00a0mJ"
    assert in_thousandths(1234.5, "s") == "1235000\u00a0ms"


@given(st.floats(1e-9, 1e6))
def test_what_is_told_can_be_kept(value: float) -> None:
    assert float(in_thousandths(value, "s").partition("\u00a0")[0]) / 1e3 >= value * (1 - 1e-12)


@pytest.mark.parametrize("limit", [None, 0.0233, 1.0])
def test_a_limit_that_may_be_kept_is_not_mentioned(limit: float | None) -> None:
    assert ruled_out("Latency", limit, 0.0233, "s", "mappings") == ()


@pytest.mark.parametrize(
    ("limit", "told"),
    [({"latency_limit_s": 0.001}, "Latency of at most 1\u00a0ms"), ({"energy_limit_j": 0.1}, "Energy of at most 100\u00a0mJ")],
)  # fmt: skip
def test_a_plan_tells_limits_that_its_own_bounds_rule_out(limit: dict[str, float], told: str) -> None:
    plan = plan_of(mapping_problem(limit))
    (line,) = (check for check in plan.checks if not check.ok)
    assert line.text.startswith(f"{told}: no mappings need less than ")
    (bound,) = (each for each in plan.bounds if each.title.startswith(told[:6]))
    assert in_thousandths(bound.value, bound.unit) in line.text


def test_limits_of_an_architecture_search_are_told_too() -> None:
    plan = plan_of(magnas_problem({"latency_limit_s": 0.0001}))
    assert any(not check.ok and "no designs need less than" in check.text for check in plan.checks)


def test_not_even_the_smallest_network_is_told_before_the_search() -> None:
    plan = plan_of(search_problem({"memory_limit_mb": 0.0001}))
    assert any(
        not check.ok and "Not even the smallest network meets the memory limit" in check.text for check in plan.checks
    )
