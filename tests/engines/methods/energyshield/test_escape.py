"""The way out: where it is open, and for how many windows a steering leaves it open."""

import numpy as np
import pytest

from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.escape import Escape
from engines.methods.energyshield.vehicle import Pose

BETA_MAX = float(np.arctan(0.5 * np.tan(1.1854)))


def escape_of(count: int) -> Escape:
    """Vehicles before one obstacle in the origin."""
    barrier = Barrier(np.full(count, 0.28), np.full(count, 4.0), 1.6, BETA_MAX, 12.0)
    return Escape(barrier, (np.zeros((count, 1)), np.zeros((count, 1))))


def test_the_way_out_turns_away_goes_straight_on_or_is_closed() -> None:
    # Ahead to the left and right, behind, at the barrier with h below 0, and far away; r_min straight ahead is 5.56 m.
    pose = Pose(np.array([-6.0, -6.0, 6.0, -5.0, -60.0]), np.zeros(5), np.array([0.2, -0.2, 0.3, 0.0, 0.0]))
    found = escape_of(5).steering(pose)
    assert found[:2].tolist() == pytest.approx([BETA_MAX, -BETA_MAX])
    assert found[2] == 0 and np.isnan(found[3]) and found[4] == 0


def test_a_steering_is_held_until_the_last_window_that_leaves_a_way_out() -> None:
    way_m, count = 0.5, 3
    pose = Pose(np.array([-8.0, -8.0, -100.0]), np.zeros(count), np.zeros(count))
    held = escape_of(count).windows(pose, np.zeros(count), way_m, np.array([10, 2, 10]))
    # Straight on from 8 m: at 6 m the turn still keeps the barrier, at 5.5 m h is below 0.
    assert held.tolist() == [4, 2, 10]
