"""Branches, loops and scans are followed where it is known how, and named with the way on where it is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.contract.errors import ProblemError
from tests.engines.workloads.importing.onnx.onnx_models import file, weight, whole
from tests.engines.workloads.importing.onnx.test_onnx_attention import executed, shapes
from tests.engines.workloads.importing.onnx.walks_for_tests import NUMBERS, node, read, unpriced


def _loop(turns: str) -> bytes:
    """`turns` times a product, all of them then stacked and joined."""
    body = helper.make_graph(
        [
            helper.make_node("MatMul", ["state", "w"], ["next"], "turn"),
            helper.make_node("Identity", ["going"], ["still"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("number", TensorProto.INT64, []),
            helper.make_tensor_value_info("going", TensorProto.BOOL, []),
            helper.make_tensor_value_info("state", TensorProto.FLOAT, [4, 8]),
        ],
        [
            helper.make_tensor_value_info("still", TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", TensorProto.FLOAT, [4, 8]),
            helper.make_tensor_value_info("next", TensorProto.FLOAT, [4, 8]),
        ],
    )
    nodes = [
        node("Shape", "x", "shape"),
        node("Gather", "shape zero", "many"),
        helper.make_node("Loop", [turns, "yes", "x"], ["last", "all"], "loop", body=body),
        node("Reshape", "all flat", "rows"),
        node("MatMul", "rows w", "out"),
    ]
    weights = [weight("w", 8, 8), NUMBERS[0], whole("flat", -1, 8), numpy_helper.from_array(np.array(True), "yes")]
    return file(nodes, {"x": [4, 8]}, weights, **({"given": []} if turns == "given" else {}))


def test_a_loop_of_known_turns_is_unrolled() -> None:
    found = read(_loop("many"))
    assert (found.report["macs"], unpriced(found)) == (4 * 4 * 64 + 16 * 64, [])
    first = found.content["operations"][0]
    assert (first["name"], first["y"], first["repeats"], first["shared_weights"]) == ("loop/0/turn", 4, 4, {"w": 64})


@pytest.mark.parametrize("name", ["loop/turns", "given"])
def test_turns_that_depend_on_the_data_are_asked_for_and_taken(name: str) -> None:
    with pytest.raises(
        ProblemError, match=r"Loop: the number of its turns depends on the data\. .*Must be .*--dim loop/turns=1\)"
    ) as caught:
        read(_loop("given"))
    assert caught.value.got == {"loop/turns": None}
    assert read(_loop("given"), dims={name: 3}).report["macs"] == 3 * 4 * 64 + 12 * 64


def test_a_loop_of_very_many_turns_is_named_with_the_reason() -> None:
    with pytest.raises(ProblemError, match="Loop: it has more than 4096 turns"):
        read(_loop("given"), dims={"loop/turns": 1_000_000})


def test_nothing_is_left_of_a_loop_that_is_given_up() -> None:
    """Its first turn picks what is not zero, so that whether there is a second one depends on the data."""
    body = helper.make_graph(
        [node("NonZero", "state", "places"), node("Identity", "state", "next"), node("ReduceMax", "state", "most"),
         helper.make_node("Cast", ["most"], ["still"], to=TensorProto.BOOL)],
        "body",
        [helper.make_tensor_value_info("number", TensorProto.INT64, []),
         helper.make_tensor_value_info("going", TensorProto.BOOL, []),
         helper.make_tensor_value_info("state", TensorProto.FLOAT, [4, 8])],
        [helper.make_tensor_value_info("still", TensorProto.BOOL, []),
         helper.make_tensor_value_info("next", TensorProto.FLOAT, [4, 8])],
    )  # fmt: skip
    nodes = [
        node("NonZero", "x", "before"),
        helper.make_node("Loop", ["many", "yes", "x"], ["last"], "loop", body=body),
        node("MatMul", "x w", "out"),
    ]
    weights = [weight("w", 8, 8), whole("many", 3), numpy_helper.from_array(np.array(True), "yes")]
    with pytest.raises(ProblemError) as caught:
        read(file(nodes, {"x": [4, 8]}, weights), dims={"loop/0/places.1": 3})
    assert "before.1" in caught.value.accepted and "loop/0" not in caught.value.accepted


def _scan(shape: list[int], **attributes: Any) -> onnx.ModelProto:
    """A product for each part of a sequence and of a constant beside it; a state and all results are given out."""
    body = helper.make_graph(
        [helper.make_node("MatMul", ["part", "wi"], ["a"]), helper.make_node("Add", ["a", "state"], ["b"]),
         helper.make_node("Add", ["b", "bias"], ["next"]), helper.make_node("Identity", ["next"], ["each"])],
        "body",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("state", "part", "bias")],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("next", "each")],
    )  # fmt: skip
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, shape),
        helper.make_tensor_value_info("h", TensorProto.FLOAT, [2, 6]),
    ]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("last", "all")]
    weights = [
        numpy_helper.from_array(np.zeros(each, np.float32), name) for name, each in (("wi", (4, 6)), ("many", (5, 6)))
    ]
    node = helper.make_node(
        "Scan", ["h", "x", "many"], ["last", "all"], "scan", body=body, num_scan_inputs=2, **attributes
    )
    graph = helper.make_graph([node], "g", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


@pytest.mark.parametrize(
    ("shape", "attributes"),
    [([5, 2, 4], {}), ([2, 5, 4], {"scan_input_axes": [1, 0], "scan_output_axes": [1]}),
     ([2, 4, 5], {"scan_input_axes": [-1, 0], "scan_output_axes": [-1], "scan_input_directions": [1, 0]})],
)  # fmt: skip
def test_a_scan_is_unrolled(shape: list[int], attributes: Any) -> None:
    model = _scan(shape, **attributes)
    found = read(model.SerializeToString())
    assert shapes(model)[1:] == executed(model)[1:] and (found.report["macs"], unpriced(found)) == (5 * 2 * 4 * 6, [])
    # The weight of all turns counts once, and of the constant sequence each part.
    assert found.report["parameters"] == 4 * 6 + 5 * 6


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [({"scan_input_axes": [0]}, "axis"), ({"scan_output_axes": [0, 1]}, "one axis for each"),
     ({"scan_input_axes": [7, 0]}, "length"), ({"scan_input_axes": [0.5, 0.5]}, "axis")],
)  # fmt: skip
def test_a_scan_with_axes_that_it_has_not_is_named_with_the_reason(attributes: Any, reason: str) -> None:
    with pytest.raises(ProblemError, match=f"Scan: .*{reason}"):
        read(_scan([5, 2, 4], **attributes).SerializeToString())


def test_a_scan_over_sequences_of_other_lengths_is_refused() -> None:
    with pytest.raises(ProblemError, match=r"Scan scan of 4 × 2 × 4 and 5 × 6"):
        read(_scan([4, 2, 4]).SerializeToString())
