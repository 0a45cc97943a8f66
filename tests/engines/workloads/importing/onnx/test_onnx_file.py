from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from onnx import helper

from engines.contract.errors import ProblemError
from engines.workloads.importing.limits import MAX_DEPTH, MAX_NODES
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from tests.engines.workloads.importing.onnx.onnx_models import convolutional, file, model, weight

RELU = helper.make_node("Relu", ["x"], ["out"])


def too_deep() -> bytes:
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [], [])
    for _ in range(MAX_DEPTH + 2):
        graph = helper.make_graph([helper.make_node("If", ["x"], ["y"], then_branch=graph)], "g", [], [])
    made = model([RELU], {"x": [1]})
    made.graph.CopyFrom(graph)
    return bytes(made.SerializeToString())


def far_too_deep() -> bytes:
    """Deeper than the parser itself goes; written by hand, as the library refuses to."""
    body = b""
    for _ in range(3000):  # an attribute with a graph with a node with ...
        for field in (0x32, 0x2A, 0x0A):
            body = bytes([field]) + _varint(len(body)) + body
    return bytes([0x3A]) + _varint(len(body)) + body


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def too_many() -> bytes:
    names = [f"t{index}" for index in range(MAX_NODES + 2)]
    nodes = [helper.make_node("Relu", [a], [b]) for a, b in pairwise(names)]
    return file(nodes, {"t0": [1]}, output=names[-1])


def cyclic() -> bytes:
    return file(
        [helper.make_node("Add", ["x", "b"], ["a"]), helper.make_node("Relu", ["a"], ["b"])], {"x": [1]}, output="b"
    )


def twice() -> bytes:
    return file([RELU, RELU], {"x": [1]})


def giant_dimension() -> bytes:
    return file([helper.make_node("MatMul", ["x", "y"], ["out"])], {"x": [2**40, 8], "y": [8, 2**40]})


def negative_weight() -> bytes:
    made = model([helper.make_node("MatMul", ["x", "w"], ["out"])], {"x": [4, 8]}, [weight("w", 8, 8)])
    made.graph.initializer[0].dims[0] = -8
    return bytes(made.SerializeToString())


def product_that_overflows() -> bytes:
    """Each size is fine; together they are 10**26 multiply-accumulates."""
    return file([helper.make_node("MatMul", ["x", "y"], ["out"])], {"x": [10**9, 10**8], "y": [10**8, 10**9]})


def many_dimensions() -> bytes:
    return file([RELU], {"x": [1] * 100})


def calls_itself(called: str = "F") -> bytes:
    made = model([helper.make_node(called, ["x"], ["out"], domain="my.domain")], {"x": [1]})
    call = helper.make_node("F", ["a"], ["b"], domain="my.domain")
    made.functions.append(
        helper.make_function("my.domain", "F", ["a"], ["b"], [call], [helper.make_opsetid("my.domain", 1)])
    )
    return bytes(made.SerializeToString())


def billion_laughs() -> bytes:
    """Ten functions, each calling the one before it ten times."""
    made = model([helper.make_node("F9", ["x"], ["out"], domain="my.domain")], {"x": [1]})
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("my.domain", 1)]
    for level in range(10):
        names = ["a", *(f"t{index}" for index in range(9)), "b"]
        called = ("Relu", "") if level == 0 else (f"F{level - 1}", "my.domain")
        calls = [helper.make_node(called[0], [one], [two], domain=called[1]) for one, two in pairwise(names)]
        made.functions.append(helper.make_function("my.domain", f"F{level}", ["a"], ["b"], calls, opsets))
    return bytes(made.SerializeToString())


def shapes_that_do_not_fit() -> bytes:
    return file([helper.make_node("MatMul", ["x", "w"], ["out"])], {"x": [4, 9]}, [weight("w", 8, 8)])


HOSTILE: list[tuple[Callable[[], bytes], str]] = [
    (lambda: b"", "with a graph of operators"),
    (lambda: b"not a network at all", "complete ONNX file|with a graph"),
    (lambda: b"\x08\x07", "with a graph of operators"),
    (lambda: convolutional()[: len(convolutional()) // 2], "complete ONNX file"),
    (lambda: convolutional()[:-3], "complete ONNX file|whole numbers|with a graph"),
    (too_deep, "nested at most"),
    (far_too_deep, "complete ONNX file|with a graph|nested"),
    (too_many, "at most 20\u2009000 operators"),
    (cyclic, "topological order"),
    (twice, "computes every tensor once"),
    (giant_dimension, "sizes from 0 to 1\u2009000\u2009000\u2009000"),
    (negative_weight, "sizes from 0 to"),
    (product_that_overflows, "multiply-accumulates"),
    (many_dimensions, "at most 16 dimensions"),
    (calls_itself, "without recursive functions"),
    (lambda: calls_itself("nothing of the file"), "without recursive functions"),
    (billion_laughs, "at most 20\u2009000 operators"),
    (shapes_that_do_not_fit, "fit together|one that computes"),
]


@pytest.mark.parametrize(("make", "part"), HOSTILE, ids=lambda value: getattr(value, "__name__", None))
def test_it_is_refused_with_the_reason(make: Callable[[], bytes], part: str) -> None:
    data = make()
    with pytest.raises(ProblemError, match=part) as caught:
        read_onnx(data, "evil.onnx", {})
    assert len(str(caught.value)) < 2000


def test_names_with_control_characters_are_shown_without_them() -> None:
    made = model(
        [helper.make_node("MatMul", ["x", "w"], ["out"], "a\0b\x1b[31m\n" + "c" * 500)],
        {"x": [4, 8]},
        [weight("w", 8, 8)],
    )
    (row,) = read_onnx(made.SerializeToString(), "n\0ame.onnx", {}).content["operations"]
    assert (
        row["name"].isprintable() and row["name"].startswith("a\N{REPLACEMENT CHARACTER}b") and len(row["name"]) <= 200
    )
