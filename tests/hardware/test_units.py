"""Units and names of columns that end in one."""

from __future__ import annotations

import pytest

from hardware.units import split_unit


@pytest.mark.parametrize(
    ("name", "words", "symbol", "base"),
    [
        ("time_s", "time", "s", "s"),
        ("power_budget_mw", "power_budget", "mW", "W"),
        ("Power [mW]", "Power", "mW", "W"),
        ("battery (%)", "battery", "%", "share"),
        ("speed_km_per_h", "speed", "km_per_h", "m/s"),
        ("speed_kmh", "speed", "kmh", "m/s"),
        ("speed_mps", "speed", "mps", "m/s"),
        ("accel_g", "accel", "g", "m/s2"),
        ("accel_m_per_s2", "accel", "m_per_s2", "m/s2"),
        ("gyro [°/s]", "gyro", "°/s", "deg/s"),
        ("gyro_rad_per_s", "gyro", "rad_per_s", "deg/s"),
        ("air_degC", "air", "degC", "degC"),
        ("energy_mwh", "energy", "mWh", "J"),
        ("motion_pixels", "motion", "pixels", "1"),
        ("TIME_MIN", "TIME", "min", "s"),
        ("throughput_MBps", "throughput", "MBps", "bit/s"),
        ("rate [MB/s]", "rate", "MB/s", "bit/s"),
        ("rate [Mb/s]", "rate", "Mb/s", "bit/s"),
        ("rate_mbps", "rate", "Mbps", "bit/s"),
        ("rate [Bytes/sec]", "rate", "Bytes/sec", "bit/s"),
        ("rate [Mbits/sec]", "rate", "Mbits/sec", "bit/s"),
        ("rate [MBit/s]", "rate", "MBit/s", "bit/s"),
        ("rate_kB_s", "rate", "kB/s", "bit/s"),
        ("rate_kbit_s", "rate", "kbit/s", "bit/s"),
        ("v_m_s", "v", "m/s", "m/s"),
        ("v_km_h", "v", "km/h", "m/s"),
        ("rain_mm_h", "rain", "mm/h", "mm/h"),
        ("x_m_s2", "x", "m/s2", "m/s2"),
        ("Current(µA)", "Current", "uA", "A"),
        ("temperature_c", "temperature", "C", "degC"),
        ("charge_percent", "charge", "percent", "share"),
    ],
)
def test_a_name_tells_its_unit(name: str, words: str, symbol: str, base: str) -> None:
    found = split_unit(name)
    assert found is not None
    assert (found[0], found[1].symbol, found[1].base) == (words, symbol, base)


@pytest.mark.parametrize(
    "name",
    [
        "power",
        "w",
        "_w",
        "[W]",
        "power [horses]",
        "power [MW]",
        "energy_MJ",
        "",
        "rate [mb/s]",
        "rate_MBPS",
        "rate_mb_s",
        "rate_mib_s",
        "rate_mb_per_s",
        "frames_per_s",
        "rate [kbit]",
        "wind_speed_ms",
        "charge_c",
        "sensor_c",
        "power_min",
        "weight_g",
    ],
)
def test_a_name_without_a_known_unit_tells_none(name: str) -> None:
    assert split_unit(name) is None


def test_inertial_sensors_are_converted() -> None:
    factors = {name: split_unit(name)[1].factor for name in ("a_g", "w [rad/s]", "a [m/s2]")}  # type: ignore[index]
    assert factors == {"a_g": 9.80665, "w [rad/s]": pytest.approx(180 / 3.141592653589793), "a [m/s2]": 1.0}


def test_a_byte_is_eight_bits_and_the_reading_says_so() -> None:
    readings = {
        name: split_unit(name)[1].reading for name in ("r_MBps", "r [KiB/s]", "r_B_s", "r_mbps", "p_mw", "p_w", "n [1]")
    }  # type: ignore[index]
    assert readings == {
        "r_MBps": "MBps, read as 8 Mbit/s", "r [KiB/s]": "KiB/s, read as 8192 bit/s", "r_B_s": "B/s, read as 8 bit/s",
        "r_mbps": "Mbps, read as 1 Mbit/s",
        "p_mw": "mW, read as 0.001 W", "p_w": "W", "n [1]": "1",
    }  # fmt: skip
