"""Meters, on folders as Linux has them."""

from __future__ import annotations

from pathlib import Path

from paretoscope_agent.energy import Reading, find_meter


def test_it_reads_rapl_and_its_wrap(tmp_path: Path) -> None:
    zone = tmp_path / "rapl" / "intel-rapl:0"
    zone.mkdir(parents=True)
    for name, text in (("name", "package-0"), ("energy_uj", "9000000"), ("max_energy_range_uj", "10000000")):
        (zone / name).write_text(text)
    meter = find_meter(tmp_path / "rapl", tmp_path)
    assert meter.source == "RAPL package-0"
    reading = Reading(meter).start()
    (zone / "energy_uj").write_text("500000")
    assert reading.stop() == 1.5


def test_it_reads_the_rail_of_a_board(tmp_path: Path) -> None:
    sensor = tmp_path / "hwmon3"
    sensor.mkdir()
    for name, text in (("name", "ina3221"), ("in1_label", "VDD_IN"), ("power1_input", "5000")):
        (sensor / name).write_text(text)
    meter = find_meter(tmp_path / "none", tmp_path)
    assert (meter.source, meter.rails) == ("INA VDD_IN", (sensor / "power1_input",))


def test_it_says_why_there_is_none(tmp_path: Path) -> None:
    meter = find_meter(tmp_path / "none", tmp_path)
    assert not meter.source and "neither RAPL nor" in meter.why_not
    assert Reading(meter).start().stop() is None
