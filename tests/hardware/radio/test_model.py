"""Power and energy of radios, by hand-worked cases."""

from __future__ import annotations

import pytest

from hardware.radio.loader import builtin_radios, load_radio
from hardware.radio.model import Radio


def radio(slug: str) -> Radio:
    return load_radio(builtin_radios()[slug])


@pytest.mark.parametrize(
    ("slug", "up_mbps", "down_mbps", "power_mw"),
    [
        ("wifi-smartphone", 8, 0, 283.17 * 8 + 132.86),
        ("lte-smartphone", 6, 13, 438.39 * 6 + 51.97 * 13 + 1288.04),
        ("umts-smartphone", 0, 0, 817.88),
        ("5g-low-band-smartphone", 24, 0, 600 + 58 * 24),
        ("bluetooth-classic", 3, 0, 1000),
    ],
)
def test_power_is_base_and_slopes(slug: str, up_mbps: float, down_mbps: float, power_mw: float) -> None:
    assert radio(slug).power_w(up_mbps * 1e6, down_mbps * 1e6) * 1e3 == pytest.approx(power_mw)


def test_ten_kilobytes_over_bluetooth_take_the_published_energy() -> None:
    # goyal-2023 section 5.2.7: 10 KB at 3 Mbit/s and 1 W are 0.027 J.
    assert radio("bluetooth-classic").transfer_energy_j(10 * 1024 * 8, 3e6) == pytest.approx(0.027, abs=0.0005)


def test_offloading_three_pipelines_saves_what_was_published() -> None:
    # odema-2024 Table 5.5: three payloads of 84 x 47 x 3 bytes sent at 8 Mbit/s and 28.37 ms at 7.05 W, against 0.48 J locally.
    sent_j = radio("wifi-smartphone").transfer_energy_j(3 * 84 * 47 * 3 * 8, 8e6)
    assert 1 - (0.02837 * 7.05 + sent_j) / 0.48 == pytest.approx(0.407, abs=0.002)


def test_a_tail_takes_its_power_for_its_time() -> None:
    assert radio("lte-smartphone").states["tail"].energy_j == pytest.approx(1.06 * 11.576)


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="no power is known for it of bluetooth-low-energy"):
        radio("bluetooth-low-energy").transfer_energy_j(1, 1e6, "downlink")
    with pytest.raises(ValueError, match="uplink throughput must be from 0 on"):
        radio("wifi-smartphone").power_w(-1)
    with pytest.raises(ValueError, match="above 0"):
        radio("wifi-smartphone").transfer_energy_j(1, 0)
