"""Operators of com.microsoft: each one's MACs from its sizes, and sizes that go on behind them without being told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import helper

from engines.contract.errors import ProblemError
from engines.workloads.loader import load_network
from tests.engines.workloads.importing.onnx.contrib_for_tests import contrib, read
from tests.engines.workloads.importing.onnx.onnx_models import file, weight

COMPUTED = [
    # operator, inputs, weights, attributes, MACs, parameters
    ("FusedConv", {"x": [1, 3, 8, 8]}, {"w": (4, 3, 3, 3), "b": (4,)}, {"activation": "Relu", "pads": [1, 1, 1, 1]},
     4 * 3 * 9 * 64, 108 + 4),
    ("FusedGemm", {"x": [5, 6]}, {"w": (7, 6), "b": (7,)}, {"transB": 1, "activation": "Relu"}, 5 * 6 * 7, 42 + 7),
    ("FusedMatMul", {"x": [2, 5, 6]}, {"w": (7, 6)}, {"transB": 1, "alpha": 0.5}, 2 * 5 * 6 * 7, 42),
    ("FusedMatMul", {"x": [2, 6, 5], "y": [2, 6, 7]}, {}, {"transA": 1}, 2 * 5 * 6 * 7, 0),
    ("TransposeMatMul", {"x": [6, 5]}, {"w": (6, 7)}, {"transA": 1}, 5 * 6 * 7, 42),
    ("DynamicQuantizeMatMul", {"x": [2, 5, 6]}, {"w": (6, 7)}, {}, 2 * 5 * 6 * 7, 42),
    ("MatMulIntegerToFloat", {"x": [5, 6]}, {"w": (6, 7)}, {}, 5 * 6 * 7, 42),
    ("MatMulNBits", {"x": [2, 5, 64]}, {"w": (16, 2, 16), "s": (32,)}, {"K": 64, "N": 16, "bits": 4, "block_size": 32},
     2 * 5 * 64 * 16, 64 * 16),
    # Projections of 10 positions to 3 x 12; 3 heads of 4: scores and values of 5 x 5 for each head and sample.
    ("Attention", {"x": [2, 5, 12]}, {"w": (12, 36), "b": (36,)}, {"num_heads": 3},
     10 * 12 * 36 + 2 * (2 * 3 * 5 * 5 * 4), 12 * 36 + 36),
    ("Attention", {"x": [2, 5, 12]}, {"w": (12, 32), "b": (32,)}, {"num_heads": 2, "qkv_hidden_sizes": [8, 8, 16]},
     10 * 12 * 32 + 2 * 2 * 25 * 4 + 2 * 2 * 25 * 8, 12 * 32 + 32),
    ("MultiHeadAttention", {"q": [2, 5, 12], "k": [2, 7, 12], "v": [2, 7, 12]}, {}, {"num_heads": 3}, 2 * (2 * 3 * 5 * 7 * 4), 0),
    # Four heads of queries share two of keys; widths of 4.
    ("GroupQueryAttention", {"q": [1, 5, 16], "k": [1, 5, 8], "v": [1, 5, 8]}, {}, {"num_heads": 4, "kv_num_heads": 2},
     2 * (4 * 5 * 5 * 4), 0),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "inputs", "weights", "attributes", "macs", "parameters"), COMPUTED)
def test_each_operator_that_computes_has_its_macs(
    operator: str, inputs: Any, weights: Any, attributes: Any, macs: int, parameters: int
) -> None:
    node = contrib(operator, [*inputs, *weights], ["mid"], "it", **attributes)
    # A standard operator behind it has a size only where inference goes on through the stand-in.
    after = helper.make_node("Relu", ["mid"], ["out"], "after")
    found = read(file([node, after], inputs, [weight(name, *shape) for name, shape in weights.items()]))
    assert (found.report["macs"], found.report["parameters"]) == (macs, parameters)
    assert {row["treatment"] for row in found.report["operators"]} == {"computed", "folded"}
    assert found.content["operations"][-1]["output_elements"] > 0


def quantised(*inputs: str) -> list[str]:
    """Tensors with scale and zero point each, as QLinear operators take them."""
    return [each for name in inputs for each in (name, "s", "z")]


def test_quantised_operators_compute_as_their_plain_forms() -> None:
    scale, zero = weight("s"), weight("z", kind=np.uint8)
    nodes = [
        contrib("QLinearConv", [*quantised("x", "w"), "s", "z", "b"], ["c"], "conv", pads=[1, 1, 1, 1]),
        contrib("QLinearAdd", [*quantised("c", "x"), "s", "z"], ["a"], "add"),
        contrib("QLinearLeakyRelu", [*quantised("a"), "s", "z"], ["r"], "act"),
        contrib("QLinearConcat", ["s", "z", *quantised("r", "a")], ["j"], "join", axis=1),
        contrib("QLinearGlobalAveragePool", [*quantised("j"), "s", "z"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flat"),
        contrib("QGemm", [*quantised("f", "h"), "hb", "s", "z"], ["out"], "head", transB=1),
    ]
    weights = [weight("w", 4, 4, 3, 3), weight("b", 4), weight("h", 10, 8), weight("hb", 10), scale, zero]
    found = read(file(nodes, {"x": [1, 4, 6, 6]}, weights))
    network = load_network(found.content)
    assert [layer.macs for layer in network.layers] == [4 * 4 * 9 * 36, 80]
    assert [row["kind"] for row in found.content["operations"]] == [
        "conv", "eltwise", "activation", "concat", "pool", "reshape", "gemm"
    ]  # fmt: skip
    assert network.weight_elements == 4 * 4 * 9 + 4 + 80 + 10


@pytest.mark.parametrize(
    ("operator", "attributes"),
    [("FusedMatMul", {"transBatchA": 1}), ("Attention", {}), ("MatMulNBits", {"K": 6}), ("Surprise", {}),
     ("QLinearConv", {"channels_last": 1}), ("EmbedLayerNormalizations", {}), ("QGemm", {})],
)  # fmt: skip
def test_what_is_not_known_is_listed_and_not_dropped(operator: str, attributes: dict[str, Any]) -> None:
    node = contrib(operator, ["h", "w"], ["out"], "it", **attributes)
    first = helper.make_node("Gemm", ["x", "v"], ["h"], "first")
    found = read(file([first, node], {"x": [4, 6]}, [weight("v", 6, 6), weight("w", 6, 6)]))
    (unpriced,) = [row for row in found.report["operators"] if row["treatment"] == "unpriced"]
    assert unpriced["operator"].startswith(f"com.microsoft.{operator}")


@pytest.mark.parametrize(
    ("operator", "attributes"), [("MatMulNBits", {"K": 5, "N": 4}), ("FusedMatMul", {"transA": 1})]
)
def test_sizes_that_contradict_are_refused_by_name(operator: str, attributes: dict[str, Any]) -> None:
    node = contrib(operator, ["x", "w"], ["out"], "it", **attributes)
    with pytest.raises(ProblemError, match=rf"com.microsoft.{operator} it of 4 × 6 and 6 × 6"):
        read(file([node], {"x": [4, 6]}, [weight("w", 6, 6)]))
