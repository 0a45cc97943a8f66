"""A survey prices a network on devices of both kinds, orders them, and says why others cannot have it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engines.contract.encoding.decoding import from_plain
from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents
from engines.survey.survey import answer, survey
from engines.survey.survey_result import Survey
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
