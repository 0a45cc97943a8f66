"""Energy and power of sensor nodes, by hand-worked cases."""

from __future__ import annotations

import pytest

from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from hardware.sensor_node.model import SensorNode
from tests.hardware.small_devices_for_tests import sensor_node_content


def node(slug: str) -> SensorNode:
    return load_sensor_node(builtin_sensor_nodes()[slug])


def test_energy_of_a_sample_is_equation_3_1() -> None:
    made_up = load_sensor_node(sensor_node_content())
    # 100 mW x 0.1 s + 20 mW x 0.3 s + 40 mW x 0.05 s + 0.5 uJ x 1000 = 10 + 6 + 2 + 0.5 mJ
    assert made_up.sample_energy_j(0.1, 0.3, 0.05, sent_bits=1000) == pytest.approx(18.5e-3)


def test_writing_told_by_energy_counts_once_per_sample() -> None:
    # 196 mW x 1 s and 6 pJ for each of 64 bits
    assert node("fitness-tracker").sample_energy_j(1, 0) == pytest.approx(0.196 + 384e-12)


def test_board_powers_of_the_camera_add_up_to_its_processor_share() -> None:
    camera = node("openmv-gps-camera")
    period_s = 1 / 30
    # 492 + 40 + 216 = 748 mW, 35 % of 2.144 W; the study prints 36 %.
    assert camera.sample_energy_j(period_s, period_s, period_s) * 30 == pytest.approx(0.748)
    assert camera.measured_powers_w()["processor"] == pytest.approx(0.748, rel=0.05)


def test_measured_powers_are_shares_of_capacity_over_life() -> None:
    camera, tracker = node("openmv-gps-camera").measured_powers_w(), node("fitness-tracker").measured_powers_w()
    assert sum(camera.values()) == pytest.approx(5.36 / 2.5)
    assert camera["image-sensor"] == pytest.approx(5.36 / 2.5 * 51 / 99)
    # The one absolute figure among the tracker's: 10 mW of the IMU are its 21 %.
    assert tracker["imu"] == pytest.approx(0.010, rel=0.01)


def test_what_a_node_does_not_have_is_refused() -> None:
    bare = load_sensor_node(
        sensor_node_content(
            radio=None, battery=None, measured=None, sources__radio=None, sources__battery=None, sources__measured=None
        )
    )
    with pytest.raises(ValueError, match="buoy has no radio"):
        bare.sample_energy_j(1, 1, sent_bits=8)
    with pytest.raises(ValueError, match="a battery and a measured battery life"):
        bare.measured_powers_w()
    with pytest.raises(ValueError, match="from 0 on"):
        bare.sample_energy_j(-1, 1)
