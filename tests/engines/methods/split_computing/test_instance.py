"""What a controller's problem is made of."""

from __future__ import annotations

import pytest

from engines.methods.split_computing.instance import instance_of
from tests.engines.methods.split_computing.bottleneck.problems import measured_content
from tests.engines.methods.split_computing.problems import control_problem


def test_times_and_payload_are_those_of_the_trained_bottleneck() -> None:
    inputs = {"bottleneck": measured_content()}
    system = instance_of(control_problem({"accuracy_given_up_percent": 1.0}, inputs=inputs)).system
    assert (system.encoder_s, system.tail_s, system.payload_bits) == (0.002, 0.009, 48 * 8)
    assert system.local_power_w == 5.0 and system.deadline_s == pytest.approx(4 * 0.011)
    assert instance_of(control_problem({"accuracy_given_up_percent": 5.0}, inputs=inputs)).system.payload_bits == 12 * 8
