import numpy as np

from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.rules import printed_steering, side_of, sided_steering

BARRIER = Barrier(0.28, 4.0, 1.6, 0.5, 12.0)


def test_the_side_is_kept_straight_ahead_of_an_obstacle() -> None:
    xi = np.array([3.1, -3.1, 1.0, -1.0])
    assert side_of(xi, np.zeros(4)).tolist() == [1, -1, 1, -1]
    assert side_of(xi, -np.ones(4)).tolist() == [-1, -1, 1, -1]


def test_within_the_margin_the_wheel_is_turned_fully() -> None:
    near, xi, beta = np.full(2, 4.0), np.array([3.1, -3.1]), np.zeros(2)
    assert printed_steering(BARRIER, 0.5, near, xi, beta).tolist() == [0.5, -0.5], "to and fro, as printed"
    assert sided_steering(BARRIER, 0.5, near, xi, beta, np.ones(2)).tolist() == [0.5, 0.5]
