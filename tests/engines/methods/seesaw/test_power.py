"""Lives and gains of goyal-2023 from its powers, under the calibration from which each follows."""

from __future__ import annotations

import numpy as np
import pytest

from engines.errors import ProblemError
from engines.methods.seesaw.power import NodePower, node_power
from hardware.sensor_node_loader import builtin_sensor_nodes, load_sensor_node
from tests.hardware.small_devices_for_tests import sensor_node_content


def power(node: str, calibration: str, standby: float = 0.0, sleep: float = 0.0) -> NodePower:
    """The power of a built-in node."""
    return node_power(load_sensor_node(builtin_sensor_nodes()[node]), calibration, standby, sleep)  # type: ignore[arg-type]


def test_lives_follow_from_the_measured_shares() -> None:
    # goyal-2023 sections 3.3.1 and 3.3.2: 2.5 h at 30 frames/s, 7.8 h at 1 Hz.
    camera, tracker = power("openmv-gps-camera", "shares"), power("fitness-tracker", "shares", 0.31)
    assert camera.capacity_j / camera.mean_w(30.0) / 3600 == pytest.approx(2.5)
    assert tracker.capacity_j / tracker.mean_w(1.0) / 3600 == pytest.approx(7.8)


@pytest.mark.parametrize(("activity", "gain"), [(0.1, 6.96), (0.2, 4.19), (0.4, 2.33), (1.0, 1.0)])
def test_sleep_gains_of_the_tracker_follow_from_its_board(activity: float, gain: float) -> None:
    # goyal-2023 Figure 3.13 prints 7, 4.2 and 2.3.
    tracker = power("fitness-tracker", "board")
    assert tracker.without_sleep_w / tracker.mean_w(1.0, activity) == pytest.approx(gain, abs=0.005)


@pytest.mark.parametrize(("interval_s", "percent"), [(5.3, 71.7), (7.4, 80.2), (9.2, 84.7)])
def test_gains_of_the_tracker_at_the_published_intervals(interval_s: float, percent: float) -> None:
    # goyal-2023 Figures 3.11 and 3.13 print 66, 79 and 88 %.
    tracker = power("fitness-tracker", "board")
    gain = tracker.mean_w(1.0) / tracker.mean_w(1 / interval_s) - 1
    assert 100 * gain == pytest.approx(percent, abs=0.1)


def test_the_board_of_the_tracker_does_not_last_as_long_as_published() -> None:
    tracker = power("fitness-tracker", "board")
    assert tracker.capacity_j / tracker.mean_w(1.0) / 3600 == pytest.approx(1.8, abs=0.01)


def test_sleep_of_the_camera_saves_what_was_fitted() -> None:
    camera = power("openmv-gps-camera", "shares", 0.0, 0.42)
    assert camera.without_sleep_w / camera.mean_w(30.0) == pytest.approx(1.18, abs=0.005)
    assert camera.capacity_j / camera.without_sleep_w / 3600 == pytest.approx(2.5)


def test_parts_add_up_and_power_never_falls_with_the_rate() -> None:
    for node, calibration in [(n, c) for n in builtin_sensor_nodes() for c in ("shares", "board")]:
        found = power(node, calibration, 0.3)
        for activity in (0.2, 1.0):
            assert found.parts_w(found.rates_hz[1], activity).sum() == pytest.approx(
                float(found.mean_w(found.rates_hz[1], activity))
            )
        assert np.all(np.diff(found.active_w.sum(axis=0)) >= 0)


def test_a_node_without_what_is_needed_is_refused() -> None:
    without_battery = load_sensor_node(sensor_node_content(battery=None, sources__battery=None))
    with pytest.raises(ProblemError, match="with a battery"):
        node_power(without_battery, "board", 0.0, 0.0)
    unmeasured = load_sensor_node(sensor_node_content(measured=None, sources__measured=None))
    with pytest.raises(ProblemError, match="or the calibration board"):
        node_power(unmeasured, "shares", 0.0, 0.0)
    assert node_power(unmeasured, "board", 0.0, 0.0).active_w.shape[1] == 3
