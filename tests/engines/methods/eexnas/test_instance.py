"""The device and the windows of a problem."""

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data import generated_motions
from engines.methods.eexnas.instance import instance_of
from engines.running.context import LocalContext
from tests.engines.methods.eexnas.problems import eexnas_problem


def test_motions_have_more_channels_than_beats_and_come_by_the_seed() -> None:
    problem = eexnas_problem({"generated": "motions", "windows": 40})
    instance = instance_of(problem)
    assert instance.space.channels == generated_motions.CHANNELS > 1
    assert instance.space.classes == len(generated_motions.CLASSES) and "otion" in instance.data_title
    first, again = (instance.read(LocalContext(problem)) for _ in range(2))
    assert np.array_equal(first.train.features, again.train.features)
    other = instance.read(LocalContext(eexnas_problem({"generated": "motions", "windows": 40}, seed=1)))
    assert not np.array_equal(first.train.features, other.train.features)


def test_memory_is_what_is_given_where_that_is_less_than_the_device_has() -> None:
    whole = instance_of(eexnas_problem())
    assert whole.space.ram_bytes == whole.device.ram_bytes > 4096
    assert instance_of(eexnas_problem({"ram_limit_kib": 4.0})).space.ram_bytes == 4096


def test_the_power_of_the_device_can_be_given() -> None:
    found = instance_of(eexnas_problem({"active_power_mw": 20.0})).device
    assert found.power_w == pytest.approx(0.02) != instance_of(eexnas_problem()).device.power_w


def test_a_device_without_a_microcontroller_is_refused() -> None:
    with pytest.raises(ProblemError, match="a microcontroller whose clock and RAM are known") as refused:
        instance_of(eexnas_problem(hardware="jetson-tx2"))
    assert refused.value.field == "inputs.hardware"
