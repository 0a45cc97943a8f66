"""What the estimate knows of the windows before."""

import numpy as np
import pytest

from engines.methods.energyshield.conditions import recent
from engines.methods.energyshield.instance import instance_of
from engines.running.context import LocalContext
from tests.engines.methods.energyshield.problems import shield_problem

VALUES = np.array([[[1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0]]])


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("mean", [2.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0]),
        ("least", [2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0]),
        ("most", [2.0, 1.0, 3.0, 5.0, 7.0, 9.0, 11.0]),
    ],
)
def test_five_windows_are_looked_back_on(of: str, expected: list[float]) -> None:
    assert recent(VALUES, np.array([2.0]), of)[0, 0].tolist() == expected


def test_conditions_of_a_seed_are_the_same_for_every_design() -> None:
    def drawn(seed: int) -> np.ndarray:
        problem = shield_problem(seed=seed)
        found = instance_of(problem).conditions(LocalContext(problem))
        assert found.bits_per_s.shape[1:] == found.delay_s.shape[1:] == found.noise.shape
        assert found.obstacles_x_m.shape == (4, 1) and (found.bits_per_s > 0).all()
        return found.bits_per_s

    assert np.array_equal(drawn(1), drawn(1)) and not np.array_equal(drawn(1), drawn(2))
