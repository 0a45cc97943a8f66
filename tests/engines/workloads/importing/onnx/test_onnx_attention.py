"""Attention operators, scatters and loops: outputs have the shapes that ONNX Runtime gives them, MACs follow from the sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.contract.errors import ProblemError
from engines.workloads.importing.onnx.onnx_file import parse_model
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from engines.workloads.importing.onnx.onnx_shapes import read_graph
from tests.engines.workloads.importing.onnx.walks_for_tests import read, unpriced

Inputs = Sequence[Sequence[int] | Any]  # a shape, None for what is left out, or numbers of a weight


def network(
    operator: str, inputs: Inputs, outputs: int, *, opset: int = 24, standard: bool = False, **attributes: Any
) -> onnx.ModelProto:
    """One operator; numbers are in the file, shapes are inputs."""
    names, given, weights = [], [], []
    for number, each in enumerate(inputs):
        names.append("" if each is None else f"in{number}")
        if isinstance(each, np.ndarray):
            weights.append(numpy_helper.from_array(each, f"in{number}"))
        elif each is not None:
            given.append(helper.make_tensor_value_info(f"in{number}", TensorProto.FLOAT, each))
    results = [helper.make_tensor_value_info(f"out{number}", TensorProto.FLOAT, None) for number in range(outputs)]
    domain = "" if standard else "com.microsoft"
    node = helper.make_node(operator, names, [each.name for each in results], "it", domain=domain, **attributes)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(
        helper.make_graph([node], "g", given, results, weights), opset_imports=opsets, ir_version=10
    )


def executed(model: onnx.ModelProto) -> list[tuple[int, ...]]:
    """Shapes of the outputs, as ONNX Runtime gives them."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feed = {each.name: np.zeros(each.shape, np.float32) for each in session.get_inputs()}
    return [each.shape for each in session.run(None, feed)]


def shapes(model: onnx.ModelProto) -> list[tuple[int, ...] | None]:
    """Shapes of the outputs of the file, as the importer finds them."""
    graph = read_graph(parse_model(model.SerializeToString(), "net.onnx"), {})
    found = {tensor.name.removeprefix("scan/"): tensor.shape for node in graph.nodes for tensor in node.outputs}
    return [found.get(each.name) for each in model.graph.output]


def macs(model: onnx.ModelProto) -> int:
    return int(read_onnx(model.SerializeToString(), "net.onnx", {}).report["macs"])


def whole(*values: int, kind: Any = np.int32) -> Any:
    return np.array(values, kind)


def grouped(steps: int, past: int | None, total: int, packed: bool = False) -> Inputs:
    """Inputs of `GroupQueryAttention`: 8 heads of queries on 2 of keys, of 16 elements."""
    own = None if packed else [1, steps, 32]
    cache = None if past is None else [1, 2, past, 16]
    return [[1, steps, 192 if packed else 128], own, own, cache, cache, whole(total - 1), np.array(total, np.int32)]


HEADS = {"num_heads": 8, "kv_num_heads": 2}
PAIR = 2 * 8 * 16  # MACs of a query and a key in all heads, for scores and values
MULTI = {"num_heads": 8}
ON_THREE = [1, 7, 320], [1, 9, 320], [1, 9, 320]
CASES = [
    # operator, inputs, outputs, attributes, MACs
    ("GroupQueryAttention", grouped(1, 256, 11), 3, HEADS, PAIR * 11),
    ("GroupQueryAttention", grouped(1, 10, 11), 3, HEADS, PAIR * 11),
    ("GroupQueryAttention", grouped(1, 256, 257), 3, HEADS, PAIR * 257),
    ("GroupQueryAttention", grouped(10, 0, 10), 3, HEADS, PAIR * 100),
    ("GroupQueryAttention", grouped(10, None, 10, packed=True), 3, HEADS, PAIR * 100),
    ("GroupQueryAttention", grouped(3, 256, 11, packed=True), 3, HEADS, PAIR * 3 * 11),
    ("GroupQueryAttention", grouped(20, None, 20), 3, HEADS | {"local_window_size": 4}, PAIR * 20 * 4),
    ("GroupQueryAttention", grouped(3, None, 3), 3, HEADS | {"local_window_size": 4}, PAIR * 3 * 3),
    ("MultiHeadAttention", [[1, 7, 320], [1, 9, 320], [1, 9, 160]], 1, MULTI, 8 * 7 * 9 * (40 + 20)),
    ("MultiHeadAttention", [[1, 7, 320], [1, 8, 9, 40], [1, 8, 9, 40]], 1, MULTI, 2 * 8 * 7 * 9 * 40),
    ("MultiHeadAttention", [*ON_THREE, None, None, [1, 8, 7, 14], [1, 8, 5, 40], [1, 8, 5, 40]], 3, MULTI, 2 * 8 * 7 * 14 * 40),
    ("DecoderMaskedMultiHeadAttention", [*[[1, 1, 320]] * 3, None, None, *[[1, 8, 64, 40]] * 2, whole(5)], 3,
     MULTI | {"past_present_share_buffer": 1}, 2 * 8 * 6 * 40),
    ("Attention", [[2, 5, 12], np.zeros((12, 36), np.float32), np.zeros(36, np.float32), None, [2, 2, 3, 4, 4]], 2,
     {"num_heads": 3}, 10 * 12 * 36 + 2 * 2 * 3 * 5 * 9 * 4),
]  # fmt: skip
STANDARD = [
    ("Attention", [[1, 4, 8, 16], [1, 2, 9, 16], [1, 2, 9, 12], [8, 12], [1, 2, 3, 16], [1, 2, 3, 12]], 3, {},
     4 * 8 * 12 * (16 + 12)),
    ("Attention", [[1, 4, 8, 16], [1, 2, 9, 16], [1, 2, 9, 12], None, [1, 2, 0, 16], [1, 2, 0, 12]], 3, {}, 4 * 8 * 9 * (16 + 12)),
    ("Attention", [[1, 8, 64], [1, 9, 32], [1, 9, 24]], 1, {"q_num_heads": 4, "kv_num_heads": 2}, 4 * 8 * 9 * (16 + 12)),
    ("Attention", [[1, 4, 8, 16], [1, 4, 9, 16], [1, 4, 9, 16], None, None, None, whole(5, kind=np.int64)], 1, {},
     2 * 4 * 8 * 5 * 16),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "inputs", "outputs", "attributes", "right"), [*CASES, *STANDARD])
def test_attention_has_the_shapes_of_its_runtime(
    operator: str, inputs: Inputs, outputs: int, attributes: Any, right: int
) -> None:
    standard = any(inputs is each[1] for each in STANDARD)
    model = network(operator, inputs, outputs, standard=standard, **attributes)
    assert shapes(model) == executed(model)
    assert macs(model) == right


NO_PROCESSOR = [
    # ONNX Runtime has these on graphics processors alone; shapes as its documents say.
    ([[1, 77, 8, 3, 40]], (1, 77, 320), 2 * 8 * 77 * 77 * 40),
    ([[1, 7, 320], [1, 9, 8, 2, 40]], (1, 7, 320), 2 * 8 * 7 * 9 * 40),
    ([[1, 7, 320], None, None, None, None, None, [1, 8, 5, 40], [1, 8, 5, 40]], (1, 7, 320), 2 * 8 * 7 * 5 * 40),
]


@pytest.mark.parametrize(("inputs", "shape", "right"), NO_PROCESSOR)
def test_keys_in_the_input_of_queries_or_in_the_cache_alone(inputs: Inputs, shape: tuple[int, ...], right: int) -> None:
    model = network("MultiHeadAttention", inputs, 1, num_heads=8)
    assert (shapes(model), macs(model)) == ([shape], right)


CONTRADICTIONS = [
    ("GroupQueryAttention", grouped(10, 256, 5), HEADS, "5 keys in all for 10"),
    ("GroupQueryAttention", grouped(1, 10, 300), HEADS, "300 keys in all"),
    ("MultiHeadAttention", [[1, 7, 320], [1, 9, 304], [1, 9, 320]], MULTI, "other sizes than the queries"),
    ("MultiHeadAttention", [*ON_THREE, None, None, [1, 8, 7, 8]], MULTI, "1 × 8 × 7 × 8 to add to scores of 1 × 8 × 7 × 9"),
    ("Attention", [[1, 4, 8, 16], [1, 4, 9, 16], [1, 4, 9, 16], [8, 8]], {}, "8 × 8 to add to scores of 1 × 4 × 8 × 9"),
    ("Attention", [[1, 8, 64], [1, 9, 30], [1, 9, 24]], {"q_num_heads": 4, "kv_num_heads": 2}, "other sizes than the queries"),
    ("Add", [[4, 64], [3, 64]], {}, "4 × 64 and 3 × 64"),
    ("Where", [np.ones((4, 64), bool), [4, 64], [4, 63]], {}, "4 × 64 and 4 × 63"),
    ("Concat", [[4, 64], [3, 63]], {"axis": 0}, "4 × 64 and 3 × 63"),
    ("MatMul", [[4, 8, 64], [3, 64, 8]], {}, "4 × 8 × 64 and 3 × 64 × 8"),
    ("Gemm", [[4, 64], [64, 8], [7]], {}, "7 columns to add to 8"),
    ("Conv", [[1, 3, 8, 8], [8, 4, 3, 3]], {}, "4 channels for 3"),
    ("LSTM", [[5, 2, 16], [1, 128, 15], [1, 128, 32]], {"hidden_size": 32}, "for 16 inputs"),
    ("PRelu", [[4, 64], [3, 64]], {}, "PRelu it of 4 × 64 and 3 × 64"),
    ("Einsum", [[4, 64], [63, 8]], {"equation": "ij,jk->ik"}, "4 × 64 and 63 × 8"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "inputs", "attributes", "reason"), CONTRADICTIONS)
def test_sizes_that_the_runtime_refuses_are_refused_by_name(
    operator: str, inputs: Inputs, attributes: Any, reason: str
) -> None:
    model = network(operator, inputs, 1, standard=len(operator) < 10, **attributes)
    with pytest.raises(Exception, match="ONNXRuntimeError"):
        executed(model)
    with pytest.raises(ProblemError, match="sizes fit together") as caught:
        macs(model)
    assert f"{operator} it of" in str(caught.value) and reason in str(caught.value)


@pytest.mark.parametrize(
    ("operator", "inputs", "attributes"),
    [("TensorScatter", [[1, 2, 256, 16], [1, 2, 3, 16], whole(0, kind=np.int64)], {}),
     ("RotaryEmbedding", [[1, 64, 128], [1, 64, 8], [1, 64, 8]], {"num_heads": 8})],
)  # fmt: skip
def test_operators_of_decoders_are_folded(operator: str, inputs: Inputs, attributes: Any) -> None:
    model = network(operator, inputs, 1, standard=True, **attributes)
    model.graph.node.append(helper.make_node("MatMul", ["out0", "w"], ["out1"], "product"))
    model.graph.initializer.append(
        numpy_helper.from_array(
            np.zeros((model.graph.input[0].type.tensor_type.shape.dim[-1].dim_value, 4), np.float32), "w"
        )
    )
    model.graph.output.append(helper.make_tensor_value_info("out1", TensorProto.FLOAT, None))
    assert shapes(model) == executed(model)
    assert unpriced(read(model.SerializeToString())) == []


def test_a_mask_may_be_for_the_valid_keys_alone() -> None:
    """Opset 24 lengthens it; ONNX Runtime 1.32 does not take it yet."""
    inputs = [[2, 3, 4, 8], [2, 3, 6, 8], [2, 3, 6, 8], [2, 3, 4, 4], None, None, whole(3, 4, kind=np.int64)]
    assert macs(network("Attention", inputs, 1, standard=True)) == 2 * 2 * 3 * 4 * 4 * 8
