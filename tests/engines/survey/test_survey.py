"""A survey prices a network on devices of both kinds, orders them, and says why others cannot have it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engines.contract.encoding.decoding import from_plain
from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents
from engines.survey.survey import answer, survey
from engines.survey.survey_result import Survey, SurveyOptions
from engines.workloads.builtins import builtin_networks
from engines.workloads.loader import builtin_network, load_network
from hardware.package.loader import load_package
from hardware.soc.loader import load_soc

HARDWARE = builtin_documents("hardware")
SOCS = ("jetson-agx-xavier", "google-edge-tpu", "snapdragon-855")


def test_devices_that_run_a_network_come_first_and_those_of_the_front_are_marked() -> None:
    devices = [(name, load_soc(HARDWARE[name].content)) for name in SOCS]
    package = load_package(HARDWARE["simba-3x3-nvdla-256"].content)
    found = survey(builtin_network("resnet50"), [*devices, ("package", package)])
    edp = [each.priced.best.edp_js for each in found.able if each.priced]
    assert edp == sorted(edp) and len(edp) == 3
    assert {each.name for each in found.able if each.on_front} == {"package", "jetson-agx-xavier"}
    (unable,) = found.unable
    assert unable.name == "google-edge-tpu" and "bandwidth of the shared memory" in unable.reason
    assert (found.layers, found.macs) == (54, 4_089_184_256)


def test_an_answer_is_json_and_the_survey_again() -> None:
    contents = [(name, HARDWARE[name].content) for name in ("jetson-tx2", "x86-server")]
    contents.append(("ublox-max-m8q", HARDWARE["ublox-max-m8q"].content))  # computes nothing: no device to run networks
    damaged = ("old", {"schema": "soc/1", "title": "Old"})
    question = {"network": builtin_networks()["resnet50"], "devices": [*contents, damaged], "calibrations": []}
    found = from_plain(Survey, json.loads(json.dumps(answer(question))))
    assert {each.name: each.priced and each.priced.basis for each in found.devices} == {
        "jetson-tx2": "calibration", "x86-server": "data sheet", "old": None,
    }  # fmt: skip
    assert "soc" in found.unable[0].schema and found.unable[0].reason


def test_a_network_with_unknown_operations_is_refused_by_their_names() -> None:
    content = {
        "schema": "network/1", "slug": "odd", "title": "Odd", "short_title": "Odd", "source": "own",
        "operations": [
            {"name": "fc", "kind": "gemm", "k": 8, "c": 8},
            {"name": "loop", "kind": "unpriced", "operator": "Loop"},
        ],
    }  # fmt: skip
    with pytest.raises(ProblemError, match="Loop"):
        survey(load_network(content), [])
    nothing = replace(builtin_network("resnet50"), layers=())
    with pytest.raises(ProblemError, match="a layer that computes"):
        survey(nothing, [])


def test_boards_are_estimated_by_public_measurements_with_a_band() -> None:
    names = ("rk3588", "hailo-8l", "qcs8550", "snapdragon-8-elite", "jetson-orin-nx-16gb")
    devices = [(name, load_soc(HARDWARE[name].content)) for name in names]
    found = survey(builtin_network("resnet50"), devices)
    rows = {each.name: each.priced for each in found.able if each.priced}
    assert {name: each.certainty for name, each in rows.items()} == {
        "rk3588": "calibrated", "hailo-8l": "predicted", "qcs8550": "calibrated", "snapdragon-8-elite": "calibrated",
        "jetson-orin-nx-16gb": "data sheet",
    }  # fmt: skip
    assert "public measurements" in rows["qcs8550"].words and rows["qcs8550"].bits == "fp16"
    assert 1 < (rows["qcs8550"].latency_factor or 0) < (rows["hailo-8l"].latency_factor or 0)
    assert 2e-3 < rows["qcs8550"].best.latency_s < 4e-3  # measured: 2.26 ms
    assert "Interval" in rows["rk3588"].note and rows["rk3588"].energy_reason
    assert any("Hailo" in pair[0] or "Hailo" in pair[1] for pair in found.indistinct)
    eight = survey(builtin_network("resnet50"), devices, options=SurveyOptions(bits="w8a8")).able
    assert {each.name: each.priced.bits for each in eight if each.priced}["qcs8550"] == "int8"
    assert survey(builtin_network("resnet50"), devices[:1], options=SurveyOptions(bits="w4a16")).unable == ()
