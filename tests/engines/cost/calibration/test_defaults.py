from __future__ import annotations

import pytest

from engines.cost.calibration.defaults import device_defaults
from hardware.calibration.loader import builtin_calibrations, load_calibration


def test_figures_that_no_data_sheet_tells_are_those_of_their_sources() -> None:
    found = device_defaults()
    assert found["memory_energy_pj_per_byte"][0] == pytest.approx(64.0)  # 8 pJ per bit
    xavier = load_calibration(builtin_calibrations()["xavier-magnas"])
    for name in ("handover_us", "lowest_voltage_share", "launch_paced_share"):
        value, source = found[name]
        assert value == xavier.value(name) and "xavier-magnas" in source
