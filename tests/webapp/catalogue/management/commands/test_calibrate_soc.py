from __future__ import annotations

from pathlib import Path

import yaml

from hardware.calibration.loader import load_calibration
from tests.support.stored_runs import People
from tests.webapp.catalogue.calibrations_for_tests import printed
from webapp.catalogue.service import list_documents, resolve, store_version


def test_own_measurements_become_a_calibration_of_the_project(people: People, csv_file: Path) -> None:
    words = printed("calibrate_soc", "jetson-agx-xavier", str(csv_file), "--workload", "vgg19", "--user", "ann",
                    "--prior", "xavier-map-and-conquer")  # fmt: skip
    assert "Stored as calibration jetson-agx-xavier-my-run, version 1." in words
    (entry,) = [entry for entry in list_documents(people.owner, "calibration") if not entry.builtin]
    calibration = load_calibration(entry.content)
    assert calibration.author == "ann" and calibration.source.startswith("own measurement, my run.csv, sha256 ")
    assert {row.quantity for row in calibration.rows} == {"latency", "energy"}
    assert calibration.rows[0].where == "my run.csv, line 2"


def test_an_own_network_is_named_with_its_project(people: People, csv_file: Path, tmp_path: Path) -> None:
    content = {**resolve(people.owner, "workload", "vgg19").content, "slug": "my-vgg"}
    store_version(people.owner, people.project, "workload", content)
    csv_file.write_text("layer,unit,latency_ms\n,gpu,20.0\n")
    output = tmp_path / "mine.yaml"
    printed("calibrate_soc", "jetson-agx-xavier", str(csv_file), "--workload", f"{people.project.slug}/my-vgg@1",
            "--user", "ann", "--output", str(output))  # fmt: skip
    assert [row.workload for row in load_calibration(yaml.safe_load(output.read_text())).rows] == ["my-vgg"]
