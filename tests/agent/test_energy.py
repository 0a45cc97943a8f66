"""Meters, on folders as Linux has them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from paretoscope_agent import energy
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


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock by which energy is measured: it stands still until a test moves `now`."""
    found = SimpleNamespace(now=100.0)
    monkeypatch.setattr(energy, "time", SimpleNamespace(monotonic=lambda: found.now))
    return found


def wait_for(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "nothing was measured"
        time.sleep(0.01)


def board(folder: Path, **files: str) -> Path:
    """A sensor as Linux has it."""
    sensor = folder / "hwmon3"
    sensor.mkdir()
    for name, text in {"name": "ina3221", "in1_label": "VDD_IN", **files}.items():
        (sensor / name).write_text(text)
    return sensor


def test_it_reads_the_power_of_a_board(tmp_path: Path) -> None:
    sensor = board(tmp_path, power1_input="5000000")
    meter = find_meter(tmp_path / "none", tmp_path)
    assert (meter.source, meter.rails) == ("INA VDD_IN", ((sensor / "power1_input",),))


def test_it_multiplies_volts_and_amperes(tmp_path: Path, clock: SimpleNamespace) -> None:
    board(tmp_path, in1_input="5000", curr1_input="1200")
    reading = Reading(find_meter(tmp_path / "none", tmp_path)).start()
    wait_for(lambda: reading._samples_w)
    clock.now += 3.0
    assert reading.stop() == pytest.approx(18.0), "5 V x 1.2 A for 3 s"


def test_it_asks_tegrastats_where_no_file_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace
) -> None:
    program = tmp_path / "tegrastats"
    line = "RAM 4181/31928MB VDD_IN 4000mW/3900mW VDD_CPU_GPU_CV 1000mW/900mW"
    program.write_text(f"#!/bin/sh\nwhile true; do echo '{line}'; sleep 0.02; done\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    reading = Reading(find_meter(tmp_path / "none", tmp_path)).start()
    wait_for(lambda: reading._program is not None and reading._program._samples_w)
    clock.now += 3.0
    assert reading.meter.source == "tegrastats" and reading.stop() == pytest.approx(12.0)


def test_it_says_why_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    meter = find_meter(tmp_path / "none", tmp_path)
    assert not meter.source and "no readable RAPL" in meter.why_not
    assert Reading(meter).start().stop() is None
