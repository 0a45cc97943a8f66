"""The copy of an uploaded file: no weights, constants in place of chains of sizes, nodes named by operations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.workloads.importing.onnx import onnx_copy
from engines.workloads.runnable.cut import cut_network
from tests.engines.workloads.importing.onnx.onnx_models import file, weight, whole
from tests.engines.workloads.importing.onnx.own_network import WIDTH, transformer
from tests.engines.workloads.importing.read_for_tests import read
from tests.engines.workloads.runnable.test_cut import executed


def copied(data: bytes, **options: Any) -> onnx.ModelProto:
    return onnx.ModelProto.FromString(read(data, **options).copy)


def test_no_weights_are_kept_and_chains_of_sizes_are_constants() -> None:
    model, data = transformer(), transformer().SerializeToString()
    model.graph.node[0].metadata_props.add(key="stack", value="/home/ann/secret.py")
    copy = copied(model.SerializeToString(), dims={"length": 12})
    tensors = copy.graph.initializer
    drawn = {tuple(each.dims) for each in tensors if each.data_location == TensorProto.EXTERNAL}
    assert drawn == {(50, WIDTH), (WIDTH, WIDTH), (WIDTH, 10), (10,)}
    stored = [numpy_helper.to_array(each).tolist() for each in tensors if each.data_location != TensorProto.EXTERNAL]
    sizes = [1, 12, 4, WIDTH // 4]
    assert stored == [[1.0] * WIDTH, [1.0] * WIDTH, 0, sizes, sizes, sizes, [1, 12, WIDTH]]
    assert not {"Shape", "Concat"} & {node.op_type for node in copy.graph.node}
    names = [row["name"] for row in read(data, dims={"length": 12}).content["operations"]]
    assert [node.name for node in copy.graph.node] == names
    assert b"secret" not in copy.SerializeToString() and len(copy.SerializeToString()) < len(data) / 5


@pytest.mark.parametrize("kind", [TensorProto.FLOAT16, TensorProto.INT8, TensorProto.DOUBLE])
def test_weights_of_other_types_are_cast(tmp_path: Path, kind: int) -> None:
    values = np.ones((16, 16), helper.tensor_dtype_to_np_dtype(kind))
    nodes = [
        helper.make_node("Constant", [], ["w"], value=numpy_helper.from_array(values)),
        helper.make_node("Cast", ["w"], ["v"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["x", "v"], ["out"], "product"),
    ]
    found = read(file(nodes, {"x": [1, 16]}))
    (result,) = executed(cut_network(found.copy), tmp_path)
    assert np.std(result) > 0 and numpy_helper.from_array(values).raw_data not in found.copy


def test_vectors_of_normalisations_stay_above_zero(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], "conv"),
        helper.make_node("BatchNormalization", ["c", *"sbmv"], ["out"], "norm"),
    ]
    weights = [weight("w", 12, 3, 3, 3), *(weight(name, 12) for name in "sbmv")]
    (result,) = executed(cut_network(read(file(nodes, {"x": [1, 3, 8, 8]}, weights)).copy), tmp_path)
    assert np.isfinite(result).all()


def test_branches_and_sizes_that_an_exporter_froze_run(tmp_path: Path) -> None:
    branch = [helper.make_node(operator, ["p"], ["y"], operator) for operator in ("Relu", "Neg")]
    graphs = [
        helper.make_graph([node], node.op_type, [], [helper.make_tensor_value_info("y", 1, None)]) for node in branch
    ]
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], "product"),
        helper.make_node("If", ["yes"], ["i"], "if", then_branch=graphs[0], else_branch=graphs[1]),
        helper.make_node("Shape", ["x"], ["s"], "size"),
        helper.make_node("Gather", ["s", "zero"], ["n"], "batch"),
        helper.make_node("Concat", ["n", "frozen"], ["joined"], "joined", axis=0),
        helper.make_node("Reshape", ["i", "joined"], ["out"], "reshape"),
    ]
    weights = [weight("w", 4, 6), whole("zero", 0), whole("frozen", 30), numpy_helper.from_array(np.array(True), "yes")]
    found = read(file(nodes, {"x": ["batch", "length", 4]}, weights), dims={"batch": 1, "length": 7})
    assert any("fixed sizes" in note for note in found.report["notes"])
    (result,) = executed(cut_network(found.copy), tmp_path)
    assert result.shape == (1, 42)


def test_why_there_is_no_copy_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_copy, "MAX_COPY_BYTES", 1000)
    found = read(transformer().SerializeToString(), dims={"length": 12})
    assert not found.copy and "bytes without weights" in found.report["notes"][-1]
    assert found.content["operations"], "the network itself is read"


def test_weights_as_attributes_are_not_kept() -> None:
    nodes = [
        helper.make_node("Constant", [], ["w"], value_floats=[0.5] * 12),
        helper.make_node("Add", ["x", "w"], ["m"]),
    ]
    nodes.append(helper.make_node("MatMul", ["m", "v"], ["out"]))
    found = read(file(nodes, {"x": [1, 12]}, [weight("v", 12, 2)]))
    assert not found.copy and "weights as attributes of operators" in found.report["notes"][-1]


def test_weights_inside_of_branches_are_not_kept() -> None:
    body = [helper.make_node("MatMul", ["x", "w"], ["y"], "product")]
    end = helper.make_tensor_value_info("y", 1, None)
    graph = helper.make_graph(body, "branch", [], [end], [weight("w", 4, 6)])
    nodes = [helper.make_node("If", ["yes"], ["out"], "if", then_branch=graph, else_branch=graph)]
    found = read(file(nodes, {"x": [1, 4]}, [numpy_helper.from_array(np.array(True), "yes")]))
    assert not found.copy and "weights inside of loops or branches" in found.report["notes"][-1]
