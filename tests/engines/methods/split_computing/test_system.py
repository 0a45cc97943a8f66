"""The window of odema-2024 chapter 5 against its own figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.methods.split_computing.instance import instance_of
from engines.recordings.csv_file import read_csv
from engines.running.context import LocalContext
from tests.engines.methods.split_computing.problems import control_problem

SYSTEM = instance_of(control_problem()).system


def test_figure_5_8_two_pipelines_from_4_and_three_from_7_mbit_per_s() -> None:
    least = [SYSTEM.least_bits_per_s(count, 0.015) / 1e6 for count in (2, 3)]
    np.testing.assert_allclose(least, [4.16, 6.80], atol=0.005)
    for count, rate in zip((1, 2), least, strict=True):
        for factor, missed in ((1.0001, False), (0.9999, True)):
            latency = SYSTEM.latency_s(np.array([rate * factor * 1e6]), np.array([0.015]))
            assert SYSTEM.missed(latency)[count, 0] == missed


def test_a_deadline_that_is_just_kept_by_hand() -> None:
    # Four pipelines of 1 + 2 s: with two offloaded the car takes 8 s, and 2 x 10 bits have 6 s less the delay.
    one = replace(SYSTEM, pipelines=4, encoder_s=1.0, tail_s=2.0, payload_bits=10.0, deadline_s=8.0)
    assert one.least_bits_per_s(2, 0.0) == pytest.approx(20 / 6)
    assert one.least_bits_per_s(2, 5.0) == pytest.approx(20.0)
    assert one.least_bits_per_s(2, 6.0) == np.inf == one.least_bits_per_s(2, 7.0)
    assert one.least_bits_per_s(1, 0.0) == np.inf  # 10 s in the car
    assert one.missed(np.array([7.9, 8.0, 8.1])).tolist() == [False, False, True]


def test_figure_5_9_delays_that_8_mbit_per_s_leaves() -> None:
    delays = np.array([0.0368, 0.0370, 0.0211, 0.0213])
    missed = SYSTEM.missed(SYSTEM.latency_s(np.full(4, 8e6), delays))
    assert missed[1].tolist() == [False, True, False, False]
    assert missed[2, 2:].tolist() == [False, True]


def test_table_5_2_all_in_the_car() -> None:
    assert SYSTEM.latency_s(np.array([1e6]), np.array([1.0]))[0, 0] == pytest.approx(0.06812)
    assert SYSTEM.energy_j(np.array([1e6]))[0, 0] == pytest.approx(0.48, abs=0.0005)


def test_energy_of_three_pipelines_by_hand() -> None:
    # 28.37 ms x 7.05 W + 3 x 94,752 bits x (132.86 mW / 8 Mbit/s + 283.17 nJ) = 0.2852 J, 40.6 % less
    found = SYSTEM.energy_j(np.array([8e6]))
    assert found[2, 0] == pytest.approx(0.2852, abs=5e-5)
    assert 1 - found[2, 0] / found[0, 0] == pytest.approx(0.406, abs=5e-4)


def test_rewards_by_hand() -> None:
    # In the second window no count is in time.
    energy = np.array([[3.0, 3.0], [2.0, 2.0], [1.0, 1.0]])
    missed = np.array([[False, False], [False, True], [False, True]])
    risky, robust = SYSTEM.rewards(energy, missed, -2.0)
    assert risky.tolist() == [0.0, -1.0, -2.0]
    assert robust.tolist() == [[-2.0, 0.0], [-2.0, -2.0], [0.0, -2.0]]


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"offloadable": "2 4"}, "params.offloadable"),
        ({"offloadable": ""}, "params.offloadable"),
        ({"offloadable": "two"}, "params.offloadable"),
        ({"deadline_ms": 60.0}, "params.deadline_ms"),
    ],
)
def test_what_cannot_be_is_refused(params: dict[str, object], field: str) -> None:
    with pytest.raises(ProblemError) as refused:
        instance_of(control_problem(params))
    assert refused.value.field == field


def test_a_recorded_drive_takes_the_place_of_channel_and_queue() -> None:
    channel = read_csv(b"time_s,bandwidth_mbps\n0,4\n0.1,8\n0.2,2\n", "drive.csv").content
    queue = read_csv(b"time_s,delay_ms\n0,15\n0.1,15\n", "server.csv").content
    problem = control_problem(inputs={"channel_trace": channel, "queue_trace": queue})
    windows = instance_of(problem).windows(LocalContext(problem), 6, "test")
    assert sorted(windows.bits_per_s.tolist()) == [2e6, 2e6, 4e6, 4e6, 8e6, 8e6]
    assert set(windows.delay_s.tolist()) == {0.015}
    with pytest.raises(ProblemError, match="delay in s"):
        instance_of(control_problem(inputs={"channel_trace": queue}))
