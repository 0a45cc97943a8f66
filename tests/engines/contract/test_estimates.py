"""Ranges of time that plans promise. How long runs really take is measured by `benchmarks/bench_estimates.py`."""

from __future__ import annotations

import pytest

from benchmarks.bench_estimates import QUICK, default_problem
from engines.contract.estimates import around
from engines.running.inspection import plan as plan_of

# Bounds may leave out most of the packages.
WIDEST = {"neksus": 8}
TRAINING = ("sbrs-search", "train-supernet")


def test_the_ends_lie_a_factor_of_three_apart_around_what_was_measured() -> None:
    assert around(10.0) == (5.0, 15.0)


@pytest.mark.parametrize("name", [*QUICK, *TRAINING])
def test_the_default_problem_of_every_engine_has_a_narrow_estimate(name: str) -> None:
    low, high = plan_of(default_problem(name)).time_s
    assert 0 < low < high < WIDEST.get(name, 4) * low
