"""Commands around calibrations."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from engines.cost.calibration_measurements import Measurements, published_measurements
from hardware.calibration.loader import load_calibration
from tests.support.stored_runs import People
from webapp.catalogue.management.commands import validate_models
from webapp.catalogue.service import list_documents, resolve, store_version


@pytest.fixture
def one_source(monkeypatch: pytest.MonkeyPatch) -> Measurements:
    """Only the quickest of the published sources."""
    source = published_measurements()["xavier-map-and-conquer"]
    monkeypatch.setattr(validate_models, "published_measurements", lambda: {source.slug: source})
    return source


def printed(*arguments: str, **options: Any) -> str:
    stream = io.StringIO()
    call_command(*arguments, stdout=stream, **options)
    return stream.getvalue()


def test_it_prints_totals_calibrations_and_agreement(one_source: Measurements) -> None:
    words = printed("validate_models")
    assert "fbnet-c-224" in words and "timm fbnetc_100" in words
    assert "VGG19 on gpu, latency" in words and "Leave one workload out" in words and "predicted" not in words
    assert "Xavier, 8 published latencies and energies" in words
    assert "kcp_ws" in words and "f71" in words


def test_it_lists_every_network_on_request(one_source: Measurements) -> None:
    assert "resnet50" not in printed("validate_models") and "resnet50" in printed("validate_models", "--all")


def test_it_fails_where_the_stored_calibration_is_not_what_the_rows_give(
    one_source: Measurements, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(one_source, rows=(replace(one_source.rows[0], measured=99.0), *one_source.rows[1:]))
    monkeypatch.setattr(validate_models, "published_measurements", lambda: {changed.slug: changed})
    with pytest.raises(CommandError, match="xavier-map-and-conquer: the stored document"):
        printed("validate_models")


CSV = """layer,unit,latency_ms,energy_mj
,gpu,20.0,300
features.0,gpu,0.5,6
features.2,gpu,1.6,
features.34,gpu,0.4,
"""


@pytest.fixture
def csv_file(tmp_path: Path) -> Path:
    path = tmp_path / "my run.csv"
    path.write_text(CSV)
    return path


def test_own_measurements_become_a_calibration_of_the_project(people: People, csv_file: Path) -> None:
    words = printed("calibrate_soc", "jetson-agx-xavier", str(csv_file), "--workload", "vgg19", "--user", "ann",
                    "--prior", "xavier-map-and-conquer")  # fmt: skip
    assert "Stored as calibration jetson-agx-xavier-my-run, version 1." in words
    (entry,) = [entry for entry in list_documents(people.owner, "calibration") if not entry.builtin]
    calibration = load_calibration(entry.content)
    assert calibration.author == "ann" and calibration.source.startswith("own measurement, my run.csv, sha256 ")
    assert {row.quantity for row in calibration.rows} == {"latency", "energy"}
    assert calibration.rows[0].where == "my run.csv, line 2"


def test_a_tegrastats_log_gives_the_power(people: People, csv_file: Path, tmp_path: Path) -> None:
    csv_file.write_text("layer,unit,latency_ms\n,gpu,20.0\n")
    log, output = tmp_path / "tegrastats.log", tmp_path / "mine.yaml"
    log.write_text("EMC_FREQ 20%@2133 GR3D_FREQ 99%@1377 GPU 12000/12000 VDDRQ 2000/2000\n" * 3)
    common = ("calibrate_soc", "jetson-agx-xavier", str(csv_file), "--workload", "vgg19", "--user", "ann")
    printed(*common, "--tegrastats", str(log), "--rails", "GPU,VDDRQ", "--output", str(output))
    rows = load_calibration(yaml.safe_load(output.read_text())).rows
    assert [(row.quantity, row.measured) for row in rows] == [("latency", 20.0), ("energy", 280.0)]
    with pytest.raises(CommandError, match="which rails of the log count: GPU, VDDRQ"):
        printed(*common, "--tegrastats", str(log))


def test_totals_scale_a_calibration(people: People, csv_file: Path) -> None:
    csv_file.write_text("layer,unit,latency_ms\n,gpu,50.52\n")
    words = printed("calibrate_soc", "jetson-agx-xavier", str(csv_file), "--workload", "vgg19", "--user", "ann",
                    "--scale", "xavier-map-and-conquer", "--slug", "my-board")  # fmt: skip
    assert "Stored as calibration my-board" in words
    (entry,) = [entry for entry in list_documents(people.owner, "calibration") if not entry.builtin]
    assert load_calibration(entry.content).scales["vgg19", "gpu"][0] == pytest.approx(2, rel=0.01)


def test_an_own_network_is_named_with_its_project(people: People, csv_file: Path, tmp_path: Path) -> None:
    content = {**resolve(people.owner, "workload", "vgg19").content, "slug": "my-vgg"}
    store_version(people.owner, people.project, "workload", content)
    csv_file.write_text("layer,unit,latency_ms\n,gpu,20.0\n")
    output = tmp_path / "mine.yaml"
    printed("calibrate_soc", "jetson-agx-xavier", str(csv_file), "--workload", f"{people.project.slug}/my-vgg@1",
            "--user", "ann", "--output", str(output))  # fmt: skip
    assert [row.workload for row in load_calibration(yaml.safe_load(output.read_text())).rows] == ["my-vgg"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("simba-3x3-nvdla", "FILE", "--workload", "vgg19"), "a system on a chip"),
        (("jetson-agx-xavier", "FILE", "--workload", "mlperf-scenario-4"), "a network, not a scenario"),
        (("jetson-agx-xavier", "FILE"), "line 2.workload"),
        (("jetson-agx-xavier", "FILE", "--workload", "vgg19", "--clock", "gpu=fast"), "NAME=MHZ"),
        (("jetson-agx-xavier", "FILE", "--workload", "vgg19", "--clock", "gpu=700"), "within 3 % of a step"),
        (
            ("jetson-agx-xavier", "FILE", "--workload", "vgg19", "--prior", "tx2-hadas"),
            "calibration of jetson-agx-xavier",
        ),
        (("jetson-agx-xavier", "nowhere.csv", "--workload", "vgg19"), "nowhere.csv"),
        (("jetson-agx-xavier", "FILE", "--workload", "vgg19", "--slug", "xavier-magnas"), "no built-in"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(
    people: People, csv_file: Path, arguments: tuple[str, ...], words: str
) -> None:
    given = [str(csv_file) if argument == "FILE" else argument for argument in arguments]
    with pytest.raises(CommandError, match=words) as caught:
        printed("calibrate_soc", *given, "--user", "ann")
    assert caught.value.returncode == 2


def test_fit_calibrations_names_the_sources_that_exist() -> None:
    with pytest.raises(CommandError, match="tx2-hadas"):
        printed("fit_calibrations", "nothing")
