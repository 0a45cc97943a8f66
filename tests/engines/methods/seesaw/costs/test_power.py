"""Lives and gains of goyal-2023 from its powers, under the calibration from which each follows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.methods.seesaw.costs.power import NodePower, node_power
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
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
    with pytest.raises(ProblemError, match="power shares"):
        node_power(unmeasured, "shares", 0.0, 0.0)
    assert node_power(unmeasured, "board", 0.0, 0.0).active_w.shape[1] == 3


def test_shares_of_the_measured_power_by_hand() -> None:
    # 8 Wh in 8 h: 1 W at 4 Hz. Between samples the sonar takes half of its 0.6 W; sleep saves a quarter of the processor's 0.2 W.
    shares = {"sonar": 60, "processor": 20, "thermometer": 10, "other": 10}
    node = load_sensor_node(sensor_node_content(battery__capacity_wh=8, measured__power_shares_percent=shares))
    found = node_power(node, "shares", 0.5, 0.25)
    assert found.parts == ("sonar", "processor", "thermometer", "other")
    assert found.parts_w(4.0) == pytest.approx([0.6, 0.15, 0.1, 0.1])
    # At 1 of 4 Hz: 0.6 (0.5 + 0.5 / 4), 0.15 / 4; what is steady stays.
    assert found.parts_w(1.0) == pytest.approx([0.375, 0.0375, 0.1, 0.1])
    assert found.asleep_w == pytest.approx([0, 0, 0, 0.1]), "what the shares do not name is never switched off"
    assert float(found.mean_w(4.0, 0.2)) == pytest.approx(0.2 * 0.95 + 0.8 * 0.1)
    assert found.without_sleep_w == pytest.approx(1.0) and found.capacity_j == pytest.approx(8 * 3600) and found.fitted


def test_powers_of_the_board_by_hand() -> None:
    # At 1 of 4 Hz a quarter of the time: 0.1 W active, 0.04 W writing, 0.3 W sonar; 0.02 W idle for the rest; 2 mW throughout.
    found = node_power(load_sensor_node(sensor_node_content()), "board", 0.0, 0.0)
    parts = dict(zip(found.parts, found.parts_w(1.0), strict=True))
    expected = {"board, active": 0.025, "board, idle": 0.015, "writing": 0.01, "sensor": 0.075, "thermometer": 0.002}
    assert parts == pytest.approx(expected)
    assert dict(zip(found.parts, found.asleep_w, strict=True)) == dict.fromkeys(expected, 0.0) | {"thermometer": 0.002}
    assert found.without_sleep_w == pytest.approx(0.442) and not found.fitted


def test_standby_and_energy_per_bit_of_a_board_by_hand() -> None:
    # At 1 of 4 Hz: the sonar takes 0.3 W a quarter of the time and 0.08 W for the rest; 1000 bit a second at 1 uJ are 1 mW.
    node = load_sensor_node(sensor_node_content())
    sensor = replace(node.rated_sensor, standby_power_w=0.08)
    board = replace(node.processor, write_power_w=None, write_j_per_bit=1e-6)
    found = node_power(replace(node, rated_sensor=sensor, processor=board), "board", 0.0, 0.0)
    parts = dict(zip(found.parts, found.parts_w(1.0), strict=True))
    assert (parts["sensor"], parts["writing"]) == (pytest.approx(0.075 + 0.06), pytest.approx(0.001))
    assert found.without_sleep_w == pytest.approx(0.1 + 0.004 + 0.3 + 0.002)


def test_a_device_that_can_go_faster_than_it_was_measured_takes_more() -> None:
    # Measured at 2 Hz: 0.6, 0.2, 0.1 and 0.1 W. At 4 Hz without sleep the sonar takes 0.6 (0.5 + 0.5 x 2), the processor 0.2 x 2.
    shares = {"sonar": 60, "processor": 20, "thermometer": 10, "other": 10}
    content = sensor_node_content(battery__capacity_wh=8, measured__power_shares_percent=shares, measured__rate_hz=2)
    found = node_power(load_sensor_node(content), "shares", 0.5, 0.25)
    assert found.without_sleep_w == pytest.approx(0.9 + 0.4 + 0.1 + 0.1)
    assert found.parts_w(4.0) == pytest.approx([0.9, 0.3, 0.1, 0.1])
