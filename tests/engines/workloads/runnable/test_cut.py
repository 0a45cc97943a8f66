"""Uploaded networks run as a whole and in pieces, by the agent's own code."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from engines.contract.errors import ProblemError
from engines.cost.profiles.measured_profile import Profile, operation_times
from engines.workloads.loader import load_network
from engines.workloads.runnable import graph
from engines.workloads.runnable.build import read_runnable
from engines.workloads.runnable.cut import cut_network, cut_piece
from engines.workloads.runnable.graph import RunnableNetwork
from paretoscope_agent.limited import measure_limited
from paretoscope_agent.measuring import Conditions, draw_weights
from tests.engines.workloads.importing.onnx.onnx_models import file, model, weight
from tests.engines.workloads.importing.onnx.own_network import VOCABULARY, transformer
from tests.engines.workloads.importing.read_for_tests import read

OWN = read(transformer().SerializeToString(), dims={"length": 12})
NAMES = [row["name"] for row in OWN.content["operations"]]


def executed(network: RunnableNetwork, folder: Path, given: dict[str, Any] | None = None) -> list[Any]:
    """The results, with weights as the agent draws them."""
    (folder / "network.onnx").write_bytes(network.onnx)
    if network.weights:
        weights = [[each.elements, each.deviation, each.offset] for each in network.weights]
        draw_weights(folder, "weights.bin", weights, network.weights_bytes, 1)
    session = onnxruntime.InferenceSession(str(folder / "network.onnx"), providers=["CPUExecutionProvider"])
    inputs = {each.name: np.ones(each.shape, np.float32) for each in session.get_inputs()} if given is None else given
    return list(session.run(None, {each.name: inputs[each.name] for each in session.get_inputs()}))


def test_the_agent_measures_the_file_and_its_nodes_are_operations(tmp_path: Path) -> None:
    about = dict(read_runnable(OWN.copy, "own", {"network": {}}).content)
    (tmp_path / "network.onnx").write_bytes(base64.b64decode(about.pop("onnx")))
    assert about["whole_numbers"] == {"//tokens": VOCABULARY}
    found = measure_limited(tmp_path / "network.onnx", Conditions(time_s=0.1), memory_mb=4096, time_s=60, about=about)
    assert {node["name"] for node in found["nodes"]} <= set(NAMES)
    times = operation_times(Profile.of("own", found), load_network(OWN.content))
    assert sum(each.latency_s for each in times) == pytest.approx(found["latency_s"]["median"])


@pytest.mark.parametrize("cut", [2, 7, 13])
def test_pieces_one_after_the_other_give_what_the_whole_gives(tmp_path: Path, cut: int) -> None:
    tensors: dict[str, Any] = {"//tokens": np.arange(12).reshape(1, 12)}
    (expected,) = executed(cut_network(OWN.copy), tmp_path, tensors)
    for piece in (NAMES[:cut], NAMES[cut:]):
        network = cut_network(OWN.copy, piece)
        names = [each.name for each in onnx.load_from_string(network.onnx).graph.output]
        tensors |= dict(zip(names, executed(network, tmp_path, tensors), strict=True))
    assert expected.shape == (1, 10) and np.array_equal(tensors[names[-1]], expected)


def test_whole_numbers_between_pieces_stay_within_what_they_number(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], "product"),
        helper.make_node("TopK", ["m", "k"], ["values", "places"], "best", axis=1),
        helper.make_node("Gather", ["table", "places"], ["out"], "rows"),
    ]
    weights = [weight("w", 8, 20), weight("table", 20, 16), onnx.numpy_helper.from_array(np.array([3]), "k")]
    copy = read(file(nodes, {"x": [1, 8]}, weights)).copy
    assert cut_network(copy, ["rows"]).whole_numbers == {"best:1": 20}


def test_inputs_of_any_type_are_drawn(tmp_path: Path) -> None:
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"], "product")]
    nodes += [helper.make_node("Cast", [name], [f"{name}f"], name, to=1) for name in ("mask", "count", "image")]
    nodes.append(helper.make_node("Sum", ["m", "maskf", "countf", "imagef"], ["out"], "sum"))
    made = model(nodes, {"x": [1, 8]}, [weight("w", 8, 4)])
    kinds = {"mask": TensorProto.BOOL, "count": TensorProto.INT32, "image": TensorProto.DOUBLE}
    made.graph.input.extend(helper.make_tensor_value_info(name, kind, [1, 4]) for name, kind in kinds.items())
    network = cut_network(read(made.SerializeToString()).copy)
    assert network.whole_numbers == {"//mask": 2, "//count": 2}
    (tmp_path / "network.onnx").write_bytes(network.onnx)
    about = {"weights_file": "weights.bin", "weights": [[32, 1.0, 0]], "weights_bytes": network.weights_bytes}
    found = measure_limited(tmp_path / "network.onnx", Conditions(time_s=0.1), memory_mb=4096, time_s=60, about=about)
    assert found["latency_s"]["median"] > 0


def test_a_cut_that_the_file_does_not_allow_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    attention = helper.make_node("Attention", ["q", "q", "q"], ["out"], "attention", q_num_heads=2, kv_num_heads=2)
    whole = read(file([attention], {"q": [1, 6, 8]}, opset=23)).copy
    with pytest.raises(ProblemError, match="cuts inside of an operator"):
        cut_network(whole, ["attention.scores"])
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], "product"),
        helper.make_node("NonZero", ["m"], ["out"], "found"),
        helper.make_node("Cast", ["out"], ["end"], "cast", to=1),
    ]
    open_size = read(file(nodes, {"x": [1, 8]}, [weight("w", 8, 20)], output="end")).copy
    with pytest.raises(ProblemError, match="tensors of known size between the pieces"):
        cut_network(open_size, ["cast"])
    with pytest.raises(ProblemError, match="at least one operator"):
        cut_network(open_size, ["elsewhere"])
    twice = [helper.make_node("MatMul", [a, b], [c], "same") for a, b, c in (("x", "w", "m"), ("m", "v", "out"))]
    alike = read(file(twice, {"x": [1, 8]}, [weight("w", 8, 6), weight("v", 6, 8)]))
    operations = load_network(alike.content).operations
    assert cut_piece(alike.copy, operations)[1] == []
    with pytest.raises(ProblemError, match="operators that share a name"):
        cut_piece(alike.copy, operations[:1])
    monkeypatch.setattr(graph, "MAX_WEIGHTS_BYTES", 100)
    with pytest.raises(ProblemError, match="GB of weights"):
        cut_network(OWN.copy)
