"""The device's side of a cut as a network that machines run."""

from __future__ import annotations

import base64
from pathlib import Path

import onnx
import pytest

from engines.contract.engine import Document
from engines.running.inspection import evaluate
from tests.engines.methods.split_network.problems import split_problem
from tests.engines.runnable_designs import asked, executed
from tests.engines.workloads.importing.onnx.own_network import transformer
from tests.engines.workloads.importing.read_for_tests import read


@pytest.mark.parametrize("bottleneck", [False, True])
def test_the_side_of_the_device_runs_and_the_rest_stays_predicted(tmp_path: Path, bottleneck: bool) -> None:
    problem = split_problem({"compression": 4.0})
    decision = {"last_on_device": ["left.2"], "bottleneck": bottleneck}
    found = asked(problem, decision)
    (design,) = found["designs"]
    (told,) = found["files"].values()
    # The stem is read at the server as well: with a bottleneck both results pass through one.
    assert executed(told, tmp_path) == (2 if bottleneck else 1)
    latency_s = float(evaluate(problem, [decision]).columns["latency_s"][0])
    assert 0 < design["rest_s"] < latency_s and design["rest_words"] == "the upload, the server's delay and its layers"


def test_all_on_the_device_leaves_nothing_predicted() -> None:
    (design,) = asked(split_problem(), {"last_on_device": ["exit"]})["designs"]
    assert (design["rest_s"], design["rest_words"]) == (0.0, "")


def test_a_cut_with_nothing_on_the_device_is_refused() -> None:
    (design,) = asked(split_problem(), {"last_on_device": []})["designs"]
    words = "All layers run on the server, so the device has nothing to measure. Must be at least one layer."
    assert design["refused"].startswith("decision.last_on_device: ")
    assert words in design["refused"]


@pytest.mark.parametrize("bottleneck", [False, True])
def test_an_uploaded_network_is_cut_out_of_its_file(tmp_path: Path, bottleneck: bool) -> None:
    own = read(transformer().SerializeToString(), dims={"length": 12})
    problem = split_problem({"compression": 4.0, "unmeasured": "assumed"}, Document("workload", "x", 1, own.content))
    decision = {"last_on_device": ["values"], "bottleneck": bottleneck}
    found = asked(problem, decision, copies={own.content["slug"]: own.copy})
    (design,) = found["designs"]
    titles = ["Layers on the device", *(["Layers on the device: added"] if bottleneck else [])]
    assert [piece["title"] for piece in design["pieces"]] == titles
    files = [found["files"][piece["file"]] for piece in design["pieces"]]
    assert [executed(each, tmp_path) for each in files] == [2, 1][: len(files)]
    graph = onnx.load_from_string(base64.b64decode(files[0]["onnx"])).graph
    assert {node.op_type for node in graph.node} >= {"Gather", "Reshape", "Transpose"}
    assert [each.name for each in graph.output] == ["norm:0", "o-heads:0"]
