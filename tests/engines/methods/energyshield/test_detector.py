"""What the detector takes on the device."""

import pytest

from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.methods.energyshield.detector import detectors_of
from tests.engines.methods.energyshield.problems import shield_problem


def test_latency_and_power_as_given() -> None:
    (found,) = detectors_of(shield_problem({"window_ms": 25.0, "detector_ms": 20.0, "detector_w": 3.0})).each
    assert (found.latency_s, found.energy_j) == (pytest.approx(0.02), pytest.approx(0.06))
    assert not found.clocks_mhz


def test_a_detector_that_takes_longer_than_a_window_is_refused() -> None:
    with pytest.raises(ProblemError, match="30 ms on the device") as error:
        detectors_of(shield_problem({"window_ms": 25.0, "detector_ms": 30.0}))
    assert error.value.field == "params.detector_ms" and "25 ms" in str(error.value)


def test_a_device_needs_a_network() -> None:
    with pytest.raises(ProblemError) as error:
        detectors_of(shield_problem(documents={"hardware": get_builtin("hardware", "jetson-agx-xavier")}))
    assert error.value.field == "inputs.workload"
