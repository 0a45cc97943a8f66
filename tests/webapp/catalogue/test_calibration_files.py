from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError

from hardware.calibration.loader import load_calibration
from tests.support.stored_runs import People
from tests.webapp.catalogue.calibrations_for_tests import printed
from webapp.catalogue.service import list_documents


def test_totals_scale_a_calibration(people: People, csv_file: Path) -> None:
    csv_file.write_text("layer,unit,latency_ms\n,gpu,50.52\n")
    words = printed("calibrate_soc", "jetson-agx-xavier", str(csv_file), "--workload", "vgg19", "--user", "ann",
                    "--scale", "xavier-map-and-conquer", "--slug", "my-board")  # fmt: skip
    assert "Stored as calibration my-board" in words
    (entry,) = [entry for entry in list_documents(people.owner, "calibration") if not entry.builtin]
    assert load_calibration(entry.content).scales["vgg19", "gpu"][0] == pytest.approx(2, rel=0.01)


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
