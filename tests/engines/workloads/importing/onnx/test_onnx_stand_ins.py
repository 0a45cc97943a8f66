from __future__ import annotations

from onnx import helper

from tests.engines.workloads.importing.onnx.contrib_for_tests import contrib, read
from tests.engines.workloads.importing.onnx.onnx_models import file, weight


def test_an_optimised_encoder_is_read_without_told_sizes() -> None:
    width, steps = 8, 6
    nodes = [
        contrib("EmbedLayerNormalization", ["ids", "seg", "we", "pe", "se", "g", "b"], ["e", "mask"], "embed"),
        contrib("Attention", ["e", "wqkv", "bqkv", "mask"], ["at"], "attention", num_heads=2),
        helper.make_node("MatMul", ["at", "wo"], ["o"], "output"),
        contrib("SkipLayerNormalization", ["o", "e", "g", "b"], ["n"], "norm"),
        helper.make_node("MatMul", ["n", "w1"], ["h"], "up"),
        contrib("BiasGelu", ["h", "b1"], ["ge"], "gelu"),
        helper.make_node("MatMul", ["ge", "w2"], ["d"], "down"),
        contrib("FastGelu", ["d"], ["out"], "fast"),
    ]
    weights = [
        weight("we", 100, width), weight("pe", 20, width), weight("se", 2, width), weight("g", width), weight("b", width),
        weight("wqkv", width, 3 * width), weight("bqkv", 3 * width), weight("wo", width, width), weight("w1", width, 32),
        weight("b1", 32), weight("w2", 32, width),
    ]  # fmt: skip
    found = read(file(nodes, {}, weights, ids=[1, steps], seg=[1, steps]))
    projections, scores = steps * width * 3 * width, 2 * (2 * steps * steps * width // 2)
    assert found.report["macs"] == projections + scores + steps * width * width + 2 * steps * width * 32
    assert {row["treatment"] for row in found.report["operators"]} == {"computed", "folded"}
    kinds = {row["name"]: row["kind"] for row in found.content["operations"]}
    assert (kinds["embed"], kinds["norm"], kinds["gelu"], kinds["fast"]) == (
        "embedding",
        "norm",
        "activation",
        "activation",
    )
