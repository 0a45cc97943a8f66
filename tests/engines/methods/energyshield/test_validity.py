"""Which barriers can be kept."""

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.instance import instance_of
from engines.methods.energyshield.validity import require_valid, worst_angle
from engines.methods.energyshield.vehicle import steering_of
from tests.engines.methods.energyshield.problems import shield_problem

BETA_MAX = float(steering_of(np.array(1.1854)))
WORLD = replace(instance_of(shield_problem()).world, axle_m=1.6, beta_max=BETA_MAX, v_max_m_per_s=12.0)


def test_a_smaller_sigma_cannot_be_kept() -> None:
    assert worst_angle(Barrier(0.26, 4.0, 1.6, BETA_MAX, 12.0))[1] < 0


def test_the_published_barrier_is_accepted_and_another_one_gets_the_nearest_that_works() -> None:
    require_valid(WORLD, [0.28], [4.0])
    with pytest.raises(ProblemError) as error:
        require_valid(WORLD, [0.28, 0.2], [4.0])
    words = str(error.value)
    assert error.value.field == "params.sigmas" and error.value.got == 0.2
    near = float(words.partition("the nearest possible sigma, ")[2].rstrip("."))
    assert 0.26 < near <= 0.28
    require_valid(WORLD, [near], [4.0])


def test_a_vehicle_that_hardly_steers_keeps_only_a_wide_barrier() -> None:
    # Heading straight on, it needs so much more room in front.
    with pytest.raises(ProblemError, match=r"the nearest possible sigma, 0\.9"):
        require_valid(replace(WORLD, beta_max=0.01), [0.28], [4.0])
