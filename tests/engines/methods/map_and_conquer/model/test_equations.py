"""Equations 2.15 to 2.23 against a case worked by hand, and what must hold of any configuration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.methods.map_and_conquer.model.equations import (
    energy_up_to_j,
    finish_times_s,
    latency_up_to_s,
    performance,
    stage_energy_j,
    stage_latency_s,
    unit_power_w,
)

# Three layers on two units: tau_1 = 2, 3, 2 and tau_2 = 1, 2, 3 ms; transfers of 1 and 1.5 ms; 20 and 5 W.
LATENCY_S = np.array([[[2.0, 3.0, 2.0], [1.0, 2.0, 3.0]]]) * 1e-3
TRANSFER_S = np.array([[[1.0, 1.5], [0.0, 0.0]]]) * 1e-3
POWER_W = np.array([[20.0, 5.0]])


@pytest.mark.parametrize(
    ("indicators", "second_ms", "whole_ms"),
    [((1, 1), (1, 5, 9.5), 9.5), ((1, 0), (1, 5, 8), 8), ((0, 1), (1, 3, 9.5), 9.5), ((0, 0), (1, 3, 6), 7)],
)
def test_waits_of_the_case_worked_by_hand(
    indicators: tuple[int, int], second_ms: tuple[float, ...], whole_ms: float
) -> None:
    reuse = np.array([[indicators, (0, 0)]], dtype=bool)
    finished = finish_times_s(LATENCY_S, reuse, TRANSFER_S)
    assert finished[0, 0] * 1e3 == pytest.approx([2, 5, 7])
    assert finished[0, 1] * 1e3 == pytest.approx(second_ms)
    assert latency_up_to_s(stage_latency_s(finished))[0] * 1e3 == pytest.approx([7, whole_ms])


def test_energy_of_the_case_worked_by_hand() -> None:
    energy = stage_energy_j(LATENCY_S * POWER_W[:, :, None])
    assert energy_up_to_j(energy)[0] * 1e3 == pytest.approx([140, 170])


def test_power_follows_the_clock() -> None:
    assert unit_power_w(np.array(0.46), np.array(12.7), np.array([0.5, 1.0])) == pytest.approx([6.81, 13.16])


def test_performance_is_worse_with_less_accuracy() -> None:
    found = performance(90.0, np.array([90.0, 45.0, 0.0]), np.full(3, 2.0), np.full(3, 5.0))
    assert found.tolist() == [10.0, 20.0, np.inf]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 6))
def test_no_stage_ends_before_its_own_chain_nor_before_any_path(seed: int, stages: int, layers: int) -> None:
    random = np.random.default_rng(seed)
    latency = random.uniform(0, 1, (8, stages, layers))
    transfer = random.uniform(0, 1, (8, stages, layers - 1))
    reuse = random.random((8, stages, layers - 1)) < 0.5
    finished = finish_times_s(latency, reuse, transfer)
    assert (stage_latency_s(finished) >= latency.sum(axis=2) - 1e-12).all()
    for row in range(8):
        for stage in range(stages):
            longest = _longest_path(latency[row], reuse[row], transfer[row], stage, layers - 1)
            assert finished[row, stage, -1] == pytest.approx(longest)


def test_more_reuse_is_never_earlier() -> None:
    random = np.random.default_rng(1)
    latency, transfer = random.uniform(0, 1, (50, 3, 5)), random.uniform(0, 1, (50, 3, 4))
    some = random.random((50, 3, 4)) < 0.5
    more = some | (random.random((50, 3, 4)) < 0.5)
    assert (finish_times_s(latency, more, transfer) >= finish_times_s(latency, some, transfer)).all()


def _longest_path(latency: np.ndarray, reuse: np.ndarray, transfer: np.ndarray, stage: int, layer: int) -> float:
    """Straight from the equation, by recursion."""
    if layer == 0:
        return float(latency[stage, 0])
    ready = [_longest_path(latency, reuse, transfer, stage, layer - 1)]
    ready += [
        _longest_path(latency, reuse, transfer, other, layer - 1) + transfer[other, layer - 1]
        for other in range(stage)
        if reuse[other, layer - 1]
    ]
    return float(latency[stage, layer] + max(ready))
