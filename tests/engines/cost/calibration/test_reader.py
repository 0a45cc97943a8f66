"""The reader of measurements: what it makes of files, and what it says of those that are wrong."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from hardware.calibration.loader import builtin_calibrations, load_calibration
from tests.engines.cost.read_for_tests import HEAD, read

CSV = HEAD + ",gpu,20.0\nfeatures.0,gpu,0.5\nfeatures.2,gpu,1.6\n"
LOG = b"EMC_FREQ 20%@2133 GR3D_FREQ 99%@1100 GPU 12000/12000 VDDRQ 2000/2000\n" * 3


def test_a_calibration_says_what_was_read() -> None:
    found = read(CSV + "relu,gpu,0.1\n", LOG, rails=["GPU"], clocks_mhz={"gpu": 1377})
    calibration = load_calibration(found.content)
    assert {row.quantity for row in calibration.rows} == {"latency", "energy"} and len(calibration.rows) == 6
    assert (found.report["lines"], found.report["rails_w"]) == (4, {"GPU": 12.0, "VDDRQ": 2.0})
    assert [line["name"] for line in found.report["unmatched"]] == ["relu"]
    assert found.report["notes"] == ["The log has gpu at 1100 MHz on average; the rows say 1377 MHz."]


def test_networks_that_did_not_come_along_are_asked_for() -> None:
    text = "layer,unit,latency_ms,workload\n,gpu,8,resnet50\n,gpu,20,vgg19\n,gpu,8,other\n"
    assert read(text).content == {"needs": ["resnet50", "other"]}
    many = "layer,unit,latency_ms,workload\n" + "".join(f",gpu,8,net{i}\n" for i in range(21))
    with pytest.raises(ProblemError, match="at most 20 networks"):
        read(many)


@pytest.mark.parametrize(
    ("text", "said", "field"),
    [
        ("", {}, "columns"),
        ("layer,unit\nfeatures.0,gpu\n", {}, "columns"),
        ("layer,unit,latency_us\nfeatures.0,gpu,5\n", {}, "columns.latency_us"),
        (HEAD + "features.0,gpu,nan\n", {}, "line 2.latency_ms"),
        (HEAD + "\nfeatures.0,gpu,\n", {}, "line 3.latency_ms"),
        (HEAD + "features.0,gpu,1,7\n", {}, "line 2"),
        (HEAD + "features.0,tpu,1\n", {}, "line 2.unit"),
        (HEAD + "conv_one,gpu,1\n", {}, "line 2.layer"),
        (HEAD + "features.2,gpu,0.0016\n", {}, "line 2.latency_ms"),
        ("layer,unit,latency_ms,power_w\nfeatures.0,gpu,1,12000\n", {}, "line 2.power_w"),
        ("layer,unit,latency_ms,gpu_mhz\nfeatures.0,gpu,1,700\n", {}, "line 2.gpu_mhz"),
        ("layer,unit,latency_ms,npu_mhz\nfeatures.0,gpu,1,700\n", {}, "line 2.npu_mhz"),
        (HEAD.encode() + b"features.0,gpu,\xff\n", {}, "line 2"),
        ("[{", {}, "profile"),
        (CSV, {"clocks_mhz": {"gpu": 700}}, "clocks.gpu"),
        (CSV, {"workload": ""}, "line 2.workload"),
        (HEAD + "features.0,,1\n", {"unit": "tpu"}, "unit"),
        (CSV, {"prior": builtin_calibrations()["tx2-hadas"]}, "prior"),
        (CSV, {"rails": ["GPU"]}, "rails"),
    ],
)
def test_what_is_wrong_is_named_by_line_and_column(text: str | bytes, said: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(text, **said)
    assert caught.value.field == field


def test_a_log_without_rails_asks_which_count() -> None:
    with pytest.raises(ProblemError) as caught:
        read(CSV, LOG)
    assert (caught.value.field, caught.value.got) == ("rails", {"GPU": 12.0, "VDDRQ": 2.0})


def log(gpu: str, memory: str = "2133") -> bytes:
    return f"EMC_FREQ 20%@{memory} GR3D_FREQ {gpu} GPU 12000/12000 VDDRQ 2000/2000\n".encode() * 3


def test_rows_count_at_the_nearest_steps_of_the_clocks_of_the_log() -> None:
    found = read(CSV, log("99%@675", "1065"), rails=["GPU"])
    assert found.report["notes"] == [
        "The log has gpu at 675 MHz on average by load; the rows count at the nearest step, 675.75 MHz.",
        "The log has memory at 1065 MHz on average by load; the rows count at the nearest step, 1065.6 MHz.",
    ]
    said = read(CSV, log("99%@675", "1065"), rails=["GPU"], clocks_mhz={"gpu": 675.75, "memory": 1065.6})
    assert said.content == found.content and said.report["notes"] == []


def test_a_clock_of_the_log_that_is_no_step_is_refused_with_its_value() -> None:
    with pytest.raises(ProblemError) as caught:
        read(CSV, log("50%@318") + log("100%@675"), rails=["GPU"])
    assert (caught.value.field, caught.value.got) == ("clocks.gpu", "556 MHz")
    assert read(CSV, log("50%@318") + log("100%@675"), rails=["GPU"], clocks_mhz={"gpu": 1377}).report["notes"] == [
        "The log has gpu at 556 MHz on average; the rows say 1377 MHz."
    ]


def test_clocks_of_units_that_did_not_run_do_not_matter() -> None:
    assert read(CSV.replace("gpu", "dla"), log("50%@318") + log("100%@675"), rails=["GPU"]).report["notes"] == []


def test_clocks_of_lines_come_before_those_of_the_log() -> None:
    text = "layer,unit,latency_ms,gpu_mhz\n,gpu,20.0,1377\nfeatures.2,gpu,3.2,{}\n"
    found = read(text.format(""), log("99%@675"), rails=["GPU"])
    assert found.content == read(text.format("675.75"), log("99%@675"), rails=["GPU"]).content
    assert "The log has gpu at 675 MHz on average; the rows say 1377 MHz." in found.report["notes"]
