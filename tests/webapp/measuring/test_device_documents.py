"""Documents of a probed machine."""

from __future__ import annotations

import pytest

from hardware.soc.loader import load_soc
from tests.webapp.measuring.conftest import MACHINE
from webapp.measuring.device_documents import device_documents


@pytest.mark.parametrize("clock_mhz", [2000.0, 0.0])
def test_peak_and_bandwidth_are_those_measured(clock_mhz: float) -> None:
    one, two = (load_soc(each) for each in device_documents("Box", "box", {**MACHINE, "clock_mhz": clock_mhz}, "today"))
    for soc, peak in ((one, MACHINE["peaks"][0]), (two, MACHINE["peaks"][1])):
        unit = soc.units["cpu"]
        assert unit.operations_per_cycle["fp32"] * unit.frequencies_hz[-1] == pytest.approx(peak["operations_per_s"])
        assert unit.cores == peak["threads"]
    assert two.title == "Box, 2 threads"
