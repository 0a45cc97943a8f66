"""Bits of stored weights, of every way in which files have few of them."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest
from onnx import GraphProto, TensorProto, helper

from engines.cost.calibration.datasheet import MEMORY_SHARE, datasheet_estimate
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.workloads.importing.onnx.onnx_bits import operator_bits, weight_bits
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from engines.workloads.loader import load_network
from engines.workloads.weight_bits import weight_bits_words
from hardware.soc.loader import builtin_socs, load_soc

MICROSOFT = "com.microsoft"


def tensor(name: str, kind: int, *shape: int) -> TensorProto:
    return TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)


def graph(nodes: list[tuple[str, list[str], dict[str, Any]]], *tensors: TensorProto) -> GraphProto:
    """Operators in a row; "^" is what the one before gives."""
    made, before = [], "x"
    for number, (kind, inputs, attributes) in enumerate(nodes):
        made.append(
            helper.make_node(kind, [before if name == "^" else name for name in inputs], [f"t{number}"], **attributes)
        )
        before = f"t{number}"
    return helper.make_graph(made, "g", [], [], tensors)


WEIGHT, SCALE = (64, 32), tensor("s", TensorProto.FLOAT, 64)
CASES = {
    "fp32": (None, graph([("MatMul", ["x", "w"], {})], tensor("w", TensorProto.FLOAT, *WEIGHT))),
    "fp16": (16, graph([("MatMul", ["x", "w"], {})], tensor("w", TensorProto.FLOAT16, *WEIGHT))),
    "a bias and a scale of fp16": (
        None,
        graph([("Add", ["x", "b"], {})], tensor("b", TensorProto.FLOAT16, 64), tensor("c", TensorProto.FLOAT16)),
    ),
    "a mask": (None, graph([("Where", ["m", "x", "x"], {})], tensor("m", TensorProto.UINT8, 64, 64))),
    "a constant of bfloat16": (
        16,
        graph([("Constant", [], {"value": tensor("", TensorProto.BFLOAT16, *WEIGHT)}), ("MatMul", ["x", "^"], {})]),
    ),
    "int8 with scales": (
        8,
        graph(
            [("DequantizeLinear", ["w", "s"], {}), ("MatMul", ["x", "^"], {})],
            tensor("w", TensorProto.INT8, *WEIGHT),
            SCALE,
        ),
    ),
    "fp8 with scales": (
        8,
        graph([("DequantizeLinear", ["w", "s"], {})], tensor("w", TensorProto.FLOAT8E4M3FN, *WEIGHT), SCALE),
    ),
    "int4 turned first": (
        4,
        graph(
            [("Transpose", ["w"], {}), ("DequantizeLinear", ["^", "s"], {})],
            tensor("w", TensorProto.INT4, *WEIGHT),
            SCALE,
        ),
    ),
    "a table of uint4": (
        4,
        graph(
            [("Gather", ["w", "x"], {}), ("DequantizeLinear", ["^", "s"], {})],
            tensor("w", TensorProto.UINT4, *WEIGHT),
            SCALE,
        ),
    ),
    "quantised when it is loaded": (
        8,
        graph(
            [("QuantizeLinear", ["w", "s", "z"], {}), ("DequantizeLinear", ["^", "s", "z"], {})],
            tensor("w", TensorProto.FLOAT, *WEIGHT),
            SCALE,
            tensor("z", TensorProto.INT8, 64),
        ),
    ),
    "activations alone": (
        None,
        graph(
            [("QuantizeLinear", ["x", "s", "z"], {}), ("DequantizeLinear", ["^", "s"], {})],
            tensor("z", TensorProto.INT8),
        ),
    ),
    "an integer product": (8, graph([("MatMulInteger", ["x", "w"], {})], tensor("w", TensorProto.UINT8, *WEIGHT))),
    "a quantised convolution": (
        8,
        graph([("QLinearConv", ["x", "s", "z", "w", "s", "z"], {})], tensor("w", TensorProto.INT8, 8, 8, 3, 3)),
    ),
    "packed": (
        4,
        graph([("MatMulNBits", ["x", "w", "s"], {"domain": MICROSOFT})], tensor("w", TensorProto.UINT8, 64, 1, 16)),
    ),
    "packed in 8": (
        8,
        graph(
            [("MatMulNBits", ["x", "w", "s"], {"domain": MICROSOFT, "bits": 8})],
            tensor("w", TensorProto.UINT8, 64, 1, 32),
        ),
    ),
    "packed in 2": (2, graph([("MatMulNBits", ["x", "w", "s"], {"domain": MICROSOFT, "bits": 2})])),
    "a packed table": (
        4,
        graph(
            [("GatherBlockQuantized", ["w", "x", "s"], {"domain": MICROSOFT})], tensor("w", TensorProto.UINT8, 64, 16)
        ),
    ),
    "experts": (8, graph([("QMoE", ["x", "w"], {"domain": MICROSOFT, "expert_weight_bits": 8})])),
    "fp16 and int4": (
        4,
        graph(
            [("DequantizeLinear", ["w", "s"], {})],
            tensor("w", TensorProto.INT4, *WEIGHT),
            tensor("v", TensorProto.FLOAT16, *WEIGHT),
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_fewest_bits_of_stored_weights_are_found(name: str) -> None:
    bits, found = CASES[name]
    assert weight_bits(found) == bits


def test_bits_inside_of_branches_count() -> None:
    _, inner = CASES["packed in 2"]
    outer = helper.make_graph([helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)], "g", [], [])
    assert weight_bits(outer) == 2


SCALES = tensor("h", TensorProto.FLOAT16, 64)
BY_OPERATOR = {
    "fp16": ({}, CASES["fp16"][1]),
    "int8 with scales": ({"t1": (8, 0)}, CASES["int8 with scales"][1]),
    "an integer product": ({"t0": (8, 8)}, CASES["an integer product"][1]),
    "a quantised convolution": ({"t0": (8, 8)}, CASES["a quantised convolution"][1]),
    "packed, its blocks not told": ({"t0": (4, 0)}, CASES["packed"][1]),
    # A block of 32 weights has a scale of 16 bits and a zero point of 4.
    "packed in blocks of 32": (
        {"t0": (4 + (16 + 4) / 32, 0)},
        graph(
            [("MatMulNBits", ["x", "w", "h", "z"], {"domain": MICROSOFT, "bits": 4, "block_size": 32})],
            tensor("w", TensorProto.UINT8, 64, 1, 16), SCALES, tensor("z", TensorProto.UINT8, 64),
        ),
    ),
    "packed in blocks of 32, scales of 32 bits, symmetric": (
        {"t0": (4 + 32 / 32, 0)},
        graph(
            [("MatMulNBits", ["x", "w", "s"], {"domain": MICROSOFT, "block_size": 32})],
            tensor("w", TensorProto.UINT8, 64, 1, 16), SCALE,
        ),
    ),
    "int4 in blocks of 16": (
        {"t1": (4 + 16 / 16, 0)},
        graph(
            [("DequantizeLinear", ["w", "h"], {"block_size": 16, "axis": 0}), ("MatMul", ["x", "^"], {})],
            tensor("w", TensorProto.INT4, *WEIGHT), SCALES,
        ),
    ),
    "weights and activations": (
        {"t3": (8, 8), "t4": (0, 0)},
        graph(
            [
                ("DequantizeLinear", ["w", "s"], {}), ("QuantizeLinear", ["x", "s", "z"], {}), ("DequantizeLinear", ["^", "s"], {}),
                ("MatMul", ["^", "t0"], {}), ("Relu", ["^"], {}),
            ],
            tensor("w", TensorProto.INT8, *WEIGHT), SCALE, tensor("z", TensorProto.INT8),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_OPERATOR)
def test_operators_have_the_bits_of_their_tensors_with_a_share_of_scales(name: str) -> None:
    expected, found = BY_OPERATOR[name]
    told = {key: (bits.weights, bits.activations) for key, bits in operator_bits(found).items()}
    assert told == {key: bits for key, bits in expected.items() if any(bits)}


def test_a_network_of_packed_weights_states_them_and_costs_count_them() -> None:
    made = helper.make_graph(
        [helper.make_node("MatMulNBits", ["x", "w", "s"], ["y"], "packed", domain=MICROSOFT, K=64, N=32, block_size=32)], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 32])],
        [TensorProto(name="w", data_type=TensorProto.UINT8, dims=(32, 2, 16), raw_data=bytes(1024)),
         TensorProto(name="s", data_type=TensorProto.FLOAT, dims=(64,), raw_data=bytes(256))],
    )  # fmt: skip
    model = helper.make_model(
        made, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)], ir_version=10
    )
    found = read_onnx(model.SerializeToString(), "packed.onnx", {})
    (operation,) = load_network(found.content).operations
    assert (operation.weight_bits, operation.activation_bits) == (4 + 32 / 32, 0)
    assert found.report["notes"] == ["The file states 5 bits per weight, and costs count these bits."]
    soc, table = load_soc(builtin_socs()["x86-server"]), operation_table([operation])
    assert soc.memory is not None
    plain, packed = (
        SocCostModel(soc, datasheet_estimate(soc).calibration, bits=bits).time_parts_s(
            table, highest_clocks(soc), "cpu"
        )[0, 2]
        for bits in ("fp32", "")
    )
    per_byte_s = 1 / (MEMORY_SHARE * soc.memory.bandwidth_bytes_per_s())
    assert plain - packed == pytest.approx(64 * 32 * (4 - 5 / 8) * per_byte_s)


def read(kind: int) -> Any:
    weight = TensorProto(
        name="w", data_type=kind, dims=WEIGHT, raw_data=bytes(prod(WEIGHT) * (2 if kind == TensorProto.FLOAT16 else 4))
    )
    ends = [helper.make_tensor_value_info(name, kind, [4, size]) for name, size in (("x", 64), ("y", 32))]
    made = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", ends[:1], ends[1:], [weight])
    return read_onnx(
        helper.make_model(made, opset_imports=[helper.make_opsetid("", 21)]).SerializeToString(), "half.onnx", {}
    )


def test_the_document_and_the_report_tell_bits_below_32() -> None:
    half, whole = read(TensorProto.FLOAT16), read(TensorProto.FLOAT)
    assert half.content["weight_bits"] == load_network(half.content).weight_bits == 16
    assert half.report["notes"] == [weight_bits_words(16)]
    assert "weight_bits" not in whole.content and not whole.report["notes"]


def test_words_are_for_devices_that_count_more_bits() -> None:
    assert weight_bits_words(4, "GPT", 16) == (
        "GPT stores weights in 4 bits. The costs count 16 bits for each, so latency and energy of layers that read these weights "
        "are too high."
    )  # fmt: skip
    assert weight_bits_words(16, "GPT", 16) == weight_bits_words(None, "GPT", 16) == weight_bits_words(32) == ""
