"""Columns of designs from totals of episodes, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.energyshield.episodes import Choice, Totals
from engines.methods.energyshield.instance import Instance, instance_of
from engines.methods.energyshield.quantities import BARRIER_ROOM
from engines.methods.energyshield.scoring import columns_of, decoded, encoded
from tests.engines.methods.energyshield.problems import shield_problem


@pytest.fixture(scope="module")
def instance() -> Instance:
    return instance_of(shield_problem())


def test_columns_of_two_designs_in_two_episodes(instance: Instance) -> None:
    totals = Totals(
        windows=np.array([4.0, 6.0, 10.0, 10.0]), energy_j=np.array([2.0, 3.0, 1.0, 4.0]),
        least_h_per_m=np.array([0.5, -0.25, 1.0, 2.0]), least_clearance_m=np.array([3.0, 1.0, 2.0, 5.0]),
        squared_m2=np.array([1.0, 1.5, 0.0, 80.0]), progress_m=np.array([8.0, 6.0, 10.0, 30.0]),
        local_windows=np.array([1.0, 4.0, 10.0, 0.0]), offloads=np.zeros(4),
        extra_windows=np.array([2.0, 1.0, 0.0, 4.0]), corrected=np.array([0.0, 5.0, 2.0, 3.0]),
        unproven=np.array([1.0, 3.0, 0.0, 1.0]),
    )  # fmt: skip
    columns = columns_of(totals, 2, replace(instance.world, window_s=0.5))
    expected = {
        "energy_j": [5 / 10, 5 / 20], "clearance_m": [1.0, 2.0], "least_barrier": [-0.25, 1.0], BARRIER_ROOM.name: [-0.25, 1.0],
        "tracking_m": [0.5, 2.0], "progress_m_per_second": [(4 + 2) / 2, (2 + 6) / 2], "violations": [1.0, 0.0],
        "local_fraction": [0.5, 0.5], "extra_fraction": [0.3, 0.2], "corrected_fraction": [0.5, 0.25],
        "unproven_fraction": [0.4, 0.05],
    }  # fmt: skip
    assert {name: values.tolist() for name, values in columns.items()} == {
        name: pytest.approx(values) for name, values in expected.items()
    }


def test_a_decision_tells_its_design(instance: Instance) -> None:
    sigma, radius, margin, policy, most = (
        values[-1] for values in (instance.choices[name] for name in ("sigma", "radius_m", "margin_m", "policy", "most_windows"))
    )  # fmt: skip
    design = Choice(sigma, radius, margin, int(policy), int(most), rule=instance.rule)
    assert decoded(instance, encoded(instance, design)) == design
