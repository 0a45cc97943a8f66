"""What controllers ask for, by hand."""

import numpy as np
import pytest

from engines.methods.energyshield.controllers import CONTROLLERS, path_follower, poor, pure_pursuit
from engines.methods.energyshield.vehicle import Pose, moved

NO_NOISE = np.zeros(1)


def at(y_m: float, heading: float = 0.0, x_m: float = 0.0) -> Pose:
    return Pose(np.array([x_m]), np.array([y_m]), np.array([heading]))


@pytest.mark.parametrize("controller", ["path", "pursuit"])
def test_in_the_middle_of_the_lane_it_goes_straight_on_and_from_beside_it_returns(controller: str) -> None:
    ask = CONTROLLERS[controller]  # type: ignore[index]
    assert ask(at(0.0), NO_NOISE, 10.0, 1.6)[0] == 0
    assert ask(at(1.0), NO_NOISE, 10.0, 1.6)[0] < 0 < ask(at(-1.0), NO_NOISE, 10.0, 1.6)[0]
    pose = at(2.0)
    for _ in range(100):
        pose = moved(pose, ask(pose, NO_NOISE, 10.0, 1.6), 10.0, 1.6, 0.05)
    assert abs(pose.y_m[0]) < 0.05


def test_the_path_follower_turns_the_wheel_by_offset_over_speed() -> None:
    # arctan(2.5 * 2 / 10) of the wheel: its tangent is 0.5, that of the steering variable half of it.
    assert np.tan(path_follower(at(2.0), NO_NOISE, 10.0, 1.6)) == pytest.approx(-0.25)
    # Never more than 0.6 rad of the wheel.
    assert np.tan(path_follower(at(100.0), NO_NOISE, 10.0, 1.6)) == pytest.approx(-0.5 * np.tan(0.6))


def test_pure_pursuit_aims_8_m_ahead() -> None:
    # 4 m beside the lane the aim lies 30 degrees to the side: wheel arctan(4 * 1.6 * 0.5 / 8).
    assert np.tan(pure_pursuit(at(4.0), NO_NOISE, 10.0, 1.6)) == pytest.approx(-0.2)
    # Where the vehicle heads for that aim already, it goes straight on.
    assert pure_pursuit(at(4.0, -np.pi / 6), NO_NOISE, 10.0, 1.6)[0] == pytest.approx(0.0)


def test_the_poor_one_sways_with_its_noise() -> None:
    # A quarter of 25 m along it aims 3 m to the side.
    assert poor(at(3.0, x_m=6.25), NO_NOISE, 10.0, 1.6)[0] == pytest.approx(0.0)
    assert poor(at(0.0), np.ones(1), 10.0, 1.6)[0] == pytest.approx(np.arctan(0.5 * np.tan(0.3)))
    assert poor(at(0.0), np.full(1, 99.0), 10.0, 1.6)[0] == pytest.approx(np.arctan(0.5 * np.tan(1.0)))
