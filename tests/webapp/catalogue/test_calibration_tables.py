from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError

from hardware.calibration.loader import load_calibration
from tests.support.stored_runs import People
from tests.webapp.catalogue.calibrations_for_tests import printed


def test_a_tegrastats_log_gives_the_power(people: People, csv_file: Path, tmp_path: Path) -> None:
    csv_file.write_text("layer,unit,latency_ms\n,gpu,20.0\n")
    log, output = tmp_path / "tegrastats.log", tmp_path / "mine.yaml"
    log.write_text("EMC_FREQ 20%@2133 GR3D_FREQ 99%@1377 GPU 12000/12000 VDDRQ 2000/2000\n" * 3)
    common = ("calibrate_soc", "jetson-agx-xavier", str(csv_file), "--workload", "vgg19", "--user", "ann")
    printed(*common, "--tegrastats", str(log), "--rails", "GPU,VDDRQ", "--output", str(output))
    rows = load_calibration(yaml.safe_load(output.read_text())).rows
    assert [(row.quantity, row.measured) for row in rows] == [("latency", 20.0), ("energy", 280.0)]
    with pytest.raises(CommandError, match="rails: must be some of the rails: GPU, VDDRQ"):
        printed(*common, "--tegrastats", str(log))
