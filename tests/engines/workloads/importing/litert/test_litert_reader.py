"""LiteRT files become networks: the work of each operator, its bits, and clear refusals of what is damaged."""

from __future__ import annotations

import random
import struct
from math import prod
from typing import Any

import pytest
from onnx import helper

from engines.contract.errors import ProblemError
from engines.workloads.importing.litert.litert_reader import read_litert
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from tests.engines.workloads.importing.litert.litert_models import (
    FLOAT16,
    INT4,
    INT8,
    INT32,
    Operator,
    Tensor,
    file,
    operator,
    tensor,
)
from tests.engines.workloads.importing.onnx import onnx_models

# Places of options: padding, steps, activation and so on, as the schema lists them.
SAME_BY_2 = {"b0": 0, "s1": 2, "s2": 2}


def read(data: bytes, **options: Any) -> Network:
    return load_network(read_litert(data, "net.tflite", options).content)


def one(kind: str, *tensors: Tensor, inputs: tuple[int, ...] = (0,), **options: int) -> Network:
    """A network of one operator whose last tensor is its result."""
    last = len(tensors) - 1
    return read(file(tensors, [operator(kind, range(last), [last], **options)], inputs, [last]))


def mobile() -> tuple[list[Tensor], list[Operator]]:
    """A strided convolution, a depthwise one, a mean and a classifier."""
    tensors = [
        tensor("image", 1, 33, 33, 3), tensor("w1", 8, 3, 3, 3, data=True), tensor("b1", 8, data=True), tensor("c1", 1, 17, 17, 8),
        tensor("w2", 1, 3, 3, 8, data=True), tensor("b2", 8, data=True), tensor("c2", 1, 17, 17, 8),
        tensor("axes", 2, kind=INT32, data=True), tensor("m", 1, 8), tensor("w3", 10, 8, data=True), tensor("b3", 10, data=True),
        tensor("y", 1, 10),
    ]  # fmt: skip
    operators = [
        operator("CONV_2D", [0, 1, 2], [3], **SAME_BY_2, b3=1),
        operator("DEPTHWISE_CONV_2D", [3, 4, 5], [6], s1=1, s2=1, s3=1, b4=3),
        operator("MEAN", [6, 7], [8]), operator("FULLY_CONNECTED", [8, 9, 10], [11]),
    ]  # fmt: skip
    return tensors, operators


def same_in_onnx() -> Network:
    nodes = [
        helper.make_node("Conv", ["image", "w1", "b1"], ["c1"], strides=[2, 2], auto_pad="SAME_UPPER"),
        helper.make_node("Conv", ["c1", "w2", "b2"], ["c2"], group=8, pads=[1, 1, 1, 1]),
        helper.make_node("GlobalAveragePool", ["c2"], ["p"]),
        helper.make_node("Flatten", ["p"], ["m"]),
        helper.make_node("Gemm", ["m", "w3", "b3"], ["out"], transB=1),
    ]
    shapes = {"w1": (8, 3, 3, 3), "b1": (8,), "w2": (8, 1, 3, 3), "b2": (8,), "w3": (10, 8), "b3": (10,)}
    weights = [onnx_models.weight(name, *shape) for name, shape in shapes.items()]
    return load_network(read_onnx(onnx_models.file(nodes, {"image": [1, 3, 33, 33]}, weights), "net.onnx", {}).content)


def test_macs_and_parameters_are_those_of_the_same_network_in_onnx() -> None:
    found, expected = read(file(*mobile(), [0], [11])), same_in_onnx()
    assert (found.macs, found.parameters) == (expected.macs, expected.parameters)
    alike = [(each.k, each.c, each.y, each.x, each.stride, each.depthwise) for each in found.layers]
    assert alike == [(each.k, each.c, each.y, each.x, each.stride, each.depthwise) for each in expected.layers]
    assert [each.name for each in found.layers] == ["c1", "c2", "y"] and found.title == "net"


@pytest.mark.parametrize(
    ("found", "macs", "parameters"),
    [
        # Valid padding leaves 15 places of 17 each way.
        (lambda: one("CONV_2D", tensor("x", 1, 17, 17, 4), tensor("w", 6, 3, 3, 4, data=True), tensor("y", 1, 15, 15, 6), b0=1),
         15 * 15 * 6 * 3 * 3 * 4, 6 * 3 * 3 * 4),
        # Weights of two channels for four: two groups.
        (lambda: one("CONV_2D", tensor("x", 1, 8, 8, 4), tensor("w", 6, 1, 1, 2, data=True), tensor("y", 1, 8, 8, 6)),
         8 * 8 * 6 * 2, 12),
        (lambda: one("TRANSPOSE_CONV", tensor("size", 4, kind=INT32, data=True), tensor("w", 6, 2, 2, 4, data=True),
                     tensor("x", 1, 8, 8, 4), tensor("y", 1, 16, 16, 6), inputs=(2,), s1=2, s2=2),
         8 * 8 * 4 * 6 * 2 * 2, 96),
        # The axes before the last are rows.
        (lambda: one("FULLY_CONNECTED", tensor("x", 2, 5, 8), tensor("w", 3, 8, data=True), tensor("y", 2, 5, 3)), 10 * 8 * 3, 24),
        # The second operand lies on its side.
        (lambda: one("BATCH_MATMUL", tensor("x", 2, 5, 8), tensor("z", 2, 7, 8), tensor("y", 2, 5, 7), inputs=(0, 1), b1=1),
         2 * 5 * 8 * 7, 0),
    ],
)  # fmt: skip
def test_each_operator_that_computes_has_its_macs(found: Any, macs: int, parameters: int) -> None:
    network = found()
    assert (network.macs, network.parameters) == (macs, parameters)


def test_bits_are_told_per_operator_with_the_share_of_block_scales() -> None:
    tensors = [
        tensor("x", 4, 64, kind=INT8), tensor("w", 32, 64, kind=INT8, data=True), tensor("b", 32, kind=INT32, data=True),
        tensor("h", 4, 32, kind=INT8), tensor("v", 16, 32, kind=INT4, data=True, block=32), tensor("y", 4, 16),
    ]  # fmt: skip
    operators = [operator("FULLY_CONNECTED", [0, 1, 2], [3]), operator("FULLY_CONNECTED", [3, 4, -1], [5])]
    first, second = read(file(tensors, operators, [0], [5])).operations
    assert (first.weight_bits, first.activation_bits, first.weight_elements) == (8, 8, 32 * 64 + 32)
    assert (second.weight_bits, second.activation_bits) == (4 + 16 / 32, 8)


def test_weights_that_are_widened_when_the_network_is_loaded_count_once_and_state_no_bits() -> None:
    tensors = [
        tensor("x", 4, 64),
        tensor("half", 32, 64, kind=FLOAT16, data=True),
        tensor("w", 32, 64),
        tensor("y", 4, 32),
    ]
    operators = [operator("DEQUANTIZE", [1], [2]), operator("FULLY_CONNECTED", [0, 2, -1], [3])]
    found = read_litert(file(tensors, operators, [0], [3]), "net.tflite", {})
    (operation,) = load_network(found.content).operations
    assert (operation.weight_elements, operation.weight_bits) == (32 * 64, 0)
    assert {each["treatment"] for each in found.report["operators"]} == {"prepared", "computed"}


def test_what_no_cost_model_knows_is_named_and_may_be_left_out() -> None:
    tensors = [tensor("x", 4, 8), tensor("w", 6, 8, data=True), tensor("h", 4, 6), tensor("y", 4, 6)]
    data = file(tensors, [operator("FULLY_CONNECTED", [0, 1, -1], [2]), operator("SVDF", [2], [3])], [0], [3])
    assert [each.operator for each in read(data).operations] == ["", "litert.SVDF"]
    assert read(data, exclude=["litert.SVDF"]).operations[1].excluded
    with pytest.raises(ProblemError, match="dims"):
        read(data, dims={"N": 1})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"TFL3",
        b"\0" * 64,
        b"\0\0\0\0TFL3",
        struct.pack("<I", 2**31) + b"TFL3" + b"\0" * 64,
        b"PK\3\4" + b"x" * 100,
    ],
)
def test_what_is_no_litert_file_is_refused(data: bytes) -> None:
    with pytest.raises(ProblemError, match="LiteRT file") as refused:
        read(data)
    assert refused.value.field == "file"


def damaged(dice: random.Random) -> bytes:
    data = bytearray(file(*mobile(), [0], [11]))
    for _ in range(dice.randint(1, 6)):
        place = dice.randrange(len(data) - 3)
        match dice.randrange(4):
            case 0:
                data[place] = dice.randrange(256)
            case 1:  # an offset or a length: far outside, back to the start, or onto itself
                struct.pack_into(
                    "<i", data, place // 4 * 4, dice.choice((-1, 0, 1, 4, -place, 2**31 - 1, -(2**31), len(data)))
                )
            case 2:
                data[place : place + 4] = dice.randbytes(4)
            case _:
                data = data[: max(place, 8)] if dice.random() < 0.2 else data
        if len(data) < 12:
            break
    return bytes(data)


def outcomes(seed: int, files: int) -> tuple[int, int]:
    """Count networks and refusals among damaged files; anything else fails."""
    dice, read_whole, refused = random.Random(seed), 0, 0
    for _ in range(files):
        try:
            network = read(damaged(dice))
            assert network.macs >= 0 and prod((1, len(network.operations))) > 0
            read_whole += 1
        except ProblemError:
            refused += 1
    return read_whole, refused


def test_three_hundred_damaged_files_are_networks_or_refusals() -> None:
    read_whole, refused = outcomes(1, 300)
    assert read_whole > 10 and refused > 10


@pytest.mark.long
def test_ten_thousand_damaged_files_are_networks_or_refusals() -> None:
    read_whole, refused = outcomes(2, 10_000)
    assert read_whole > 100 and refused > 100
