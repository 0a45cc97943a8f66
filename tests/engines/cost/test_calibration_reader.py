"""The reader of measurements: what it makes of files, and what it says of those that are wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.contract.designs import canonical_json
from engines.contract.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.cost.calibration_reader import read_calibration
from engines.workloads.builtins import builtin_networks
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs

HEAD = "layer,unit,latency_ms\n"
CSV = HEAD + ",gpu,20.0\nfeatures.0,gpu,0.5\nfeatures.2,gpu,1.6\n"
LOG = b"EMC_FREQ 20%@2133 GR3D_FREQ 99%@1100 GPU 12000/12000 VDDRQ 2000/2000\n" * 3
ABOUT = {"slug": "mine", "title": "Mine", "author": "ann", "source": "own measurement, run.csv"}


def network(slug: str) -> Any:
    return json.loads(canonical_json(builtin_networks()[slug]))


def read(text: str | bytes, log: bytes = b"", **said: Any) -> ReadDocument:
    data = text if isinstance(text, bytes) else text.encode()
    workload = said.get("workload", "vgg19")
    options = {
        "measurement_bytes": len(data), "soc": builtin_socs()["jetson-agx-xavier"], "about": ABOUT, "workload": workload,
        "networks": {workload: network(workload)} if workload else {}, "unit": "", "clocks_mhz": {}, "rails": [],
        "prior": None, "scales": None,
    }  # fmt: skip
    return read_calibration(data + log, "run.csv", {**options, **said})


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


def test_the_nearest_name_and_the_mistaken_unit_are_told() -> None:
    with pytest.raises(ProblemError, match=r"perhaps features\.0"):
        read(HEAD + "feature.0,gpu,1\n")
    with pytest.raises(ProblemError, match="is it in milliseconds"):
        read(HEAD + "features.2,gpu,0.0016\n")
    with pytest.raises(ProblemError, match="divide by 1,000"):
        read("layer,unit,latency_us\nfeatures.0,gpu,5\n")
    assert "are the latencies in milliseconds?" in read(HEAD + "features.2,gpu,1600000\n").report["notes"][0]


def test_most_of_the_time_must_be_of_the_network() -> None:
    assert read(HEAD + "features.2,gpu,1.6\ncopy,gpu,1.5\n").report["unmatched"][0]["latency_ms"] == 1.5
    with pytest.raises(ProblemError, match=r"1 lines with 1.7 of 3.3 ms name none"):
        read(HEAD + "features.2,gpu,1.6\ncopy,gpu,1.7\n")
