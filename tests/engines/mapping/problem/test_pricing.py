from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.registry import get_engine
from engines.running.prepared_problems import ready_of
from hardware.calibration.loader import builtin_calibrations, load_calibration
from tests.engines.methods.soc_mapping.problems import mapping_problem


def test_a_device_without_calibration_is_refused() -> None:
    with pytest.raises(ProblemError, match="No calibration of this device is built in"):
        ready_of(get_engine("soc-mapping"), mapping_problem(None, hardware="snapdragon-855"))


def test_estimates_carry_the_error_of_their_calibration() -> None:
    problem = mapping_problem()
    factors = get_engine("soc-mapping").error_factors(problem)
    calibration = load_calibration(builtin_calibrations()["xavier-magnas"])
    assert factors["latency_s"] == calibration.error_factor("latency") > 1
    product = np.log(factors["latency_s"]) ** 2 + np.log(factors["energy_j"]) ** 2
    assert np.log(factors["edp_js"]) ** 2 == pytest.approx(product)
