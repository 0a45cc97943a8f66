"""What is a weight, and which weights are the same: each counts once, wherever a network uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.workloads.importing.torch_reader import read_torch
from engines.workloads.loader import builtin_network, load_network
from engines.workloads.network import SharedWeights, distinct_elements, first_elements
from tests.engines.workloads.importing.onnx.onnx_models import file, weight, whole
from tests.engines.workloads.importing.onnx.walks_for_tests import node, read


def _scalar(name: str, value: float) -> Any:
    return numpy_helper.from_array(np.array(value, np.float32), name)


def _single(name: str, *values: float) -> Any:
    return numpy_helper.from_array(np.array(values, np.float32), name)


def _style() -> bytes:
    """A kernel that each sample scales; the factor is a product of its own."""
    nodes = [
        node("MatMul", "s affine", "f"),
        node("Reshape", "f row", "g"),
        node("Mul", "kernel g", "k"),
        node("Conv", "x k", "out"),
    ]
    weights = [weight("affine", 8, 4), weight("kernel", 16, 4, 3, 3), whole("row", 1, 4, 1, 1)]
    return file(nodes, {"x": [1, 4, 10, 10], "s": [1, 8]}, weights)


def _tied(head: list[Any]) -> bytes:
    nodes = [node("Gather", "table ids", "e"), node("MatMul", "e v", "h"), *head]
    return file(nodes, {}, [weight("table", 1000, 64), weight("v", 64, 64), whole("order", 1, 0)], ids=[1, 16])


def _bit_table(kind: int) -> bytes:
    table = helper.make_tensor("table", kind, [100, 8], [1.0] * 800 if kind in (17, 19) else [1] * 800)
    nodes = [node("Gather", "table ids", "g"), node("DequantizeLinear", "g scales", "e"), node("MatMul", "e v", "out")]
    return file(nodes, {}, [table, _single("scales", 0.1), weight("v", 8, 4)], opset=21, ids=[1, 6])


def _mask_of_sizes() -> bytes:
    """A mask of zeros and large numbers added to scores, and an image resized by four numbers."""
    nodes = [
        node("ConstantOfShape", "shape", "ones"), node("Trilu", "ones", "low", upper=0), node("Mul", "low large", "mask"),
        node("MatMul", "x w", "q"), node("Add", "q mask", "out"), node("Unsqueeze", "x axes", "image"),
        node("Resize", "image none scales", "larger"), node("OneHot", "ids depth values", "one"),
    ]  # fmt: skip
    weights = [whole("shape", 16, 16), _scalar("large", -1e9), weight("w", 16, 16), _single("scales", 1, 1, 2, 2),
               whole("axes", 0, 1), _single("none"), _single("values", 0, 1), whole("depth", 5)]  # fmt: skip
    return file(nodes, {"x": [16, 16]}, weights, ids=[1, 6])


MADE: dict[str, tuple[Callable[[], bytes], int]] = {
    "kernel scaled by a style": (_style, 32 + 576),
    "head tied by a transpose": (
        lambda: _tied([node("Transpose", "table", "t", perm=[1, 0]), node("MatMul", "h t", "out")]), 68_096,
    ),
    "head tied by a product": (
        lambda: _tied([node("Squeeze", "h", "r"), node("Gemm", "r table", "out", transB=1)]), 68_096,
    ),
    "table of FP8": (lambda: _bit_table(TensorProto.FLOAT8E4M3FN), 832),
    "table of 4 bits": (lambda: _bit_table(TensorProto.INT4), 832),
    "mask and scales of sizes": (_mask_of_sizes, 256),
    "weights for each head on the left": (
        lambda: file([node("MatMul", "w x", "out")], {"x": [2, 4, 9, 5]}, [weight("w", 4, 9, 9)]), 4 * 81,
    ),
    "a matrix added to a product": (
        lambda: file([node("Gemm", "x w c", "out")], {"x": [6, 8]}, [weight("w", 8, 4), weight("c", 6, 4)]), 32 + 24,
    ),
    "an LSTM with a first state": (
        lambda: file([helper.make_node("LSTM", ["x", "w", "r", "", "", "h", "c"], ["out"], hidden_size=4)], {"x": [5, 1, 3]},
                     [weight("w", 1, 16, 3), weight("r", 1, 16, 4), weight("h", 1, 1, 4), weight("c", 1, 1, 4)]), 48 + 64 + 8,
    ),
    "bias tables of attention in two domains": (
        lambda: file([helper.make_node("MultiHeadAttention", ["q", "k", "v", "b", "", "t"], ["y"], domain="com.microsoft",
                                       num_heads=4), node("MatMul", "y w", "out")], {name: [1, 49, 64] for name in "qkv"},
                     [weight("b", 192), weight("t", 1, 4, 49, 49), weight("w", 64, 64)]), 192 + 9604 + 4096,
    ),
    "two images through one network": (
        lambda: file([node("Conv", "a w b", "c"), node("Conv", "x w b", "d"), node("Sub", "c d", "out")],
                     {"a": [1, 3, 8, 8], "x": [1, 3, 8, 8]}, [weight("w", 4, 3, 3, 3), weight("b", 4)]), 112,
    ),
    "one kernel with two biases": (
        lambda: file([node("Conv", "a w b", "c"), node("Conv", "x w e", "d"), node("Sub", "c d", "out")],
                     {"a": [1, 3, 8, 8], "x": [1, 3, 8, 8]}, [weight("w", 4, 3, 3, 3), weight("b", 4), weight("e", 4)]), 116,
    ),
    "a packed table of 4 bits": (
        lambda: file([helper.make_node("GatherBlockQuantized", ["t", "i", "s"], ["e"], domain="com.microsoft", bits=4,
                                       block_size=16), node("MatMul", "e w", "out")],
                     {}, [weight("t", 50, 16, kind=np.uint8), weight("s", 50, 2), weight("w", 32, 8)], i=[1, 3]), 50 * 32 + 256,
    ),
    "one table read twice": (
        lambda: file([node("Gather", "t i", "a"), node("Gather", "t i", "b"), node("Add", "a b", "c"),
                      node("MatMul", "c w", "out")],
                     {}, [weight("t", 50, 8), weight("w", 8, 8)], i=[1, 3]), 464,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_weights_are_what_stands_in_the_file_and_what_is_computed_from_it_alone(name: str) -> None:
    make, parameters = MADE[name]
    found = read(make())
    assert found.report["parameters"] == parameters == load_network(found.content).parameters


def test_a_kernel_that_is_computed_is_read_with_each_sample() -> None:
    last = load_network(read(_style()).content).operations[-1]
    assert (last.kind, last.weight_elements, last.input_elements) == ("conv", 0, 400 + 576)


def test_rows_name_the_weights_that_they_share() -> None:
    make, _ = MADE["one kernel with two biases"]
    rows = [row for row in read(make()).content["operations"] if row["kind"] == "conv"]
    assert [row["shared_weights"] for row in rows] == [{"w": 108}, {"w": 108}]


# -- modules of torch -------------------------------------------------------------------------------------------------

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")
nn = torch.nn


class Called(nn.Module):  # type: ignore[misc, name-defined]
    """A module of some parts and what it computes with them."""

    def __init__(self, call: Callable[..., Any], **parts: Any) -> None:
        super().__init__()
        self.call = call
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, *inputs: Any) -> Any:
        return self.call(self, *inputs)


def _steps(module: Any, x: Any) -> Any:
    h = c = torch.zeros(3, 20)
    for each in x.unbind(0):
        h, c = module.cell(each, (h, c))
    return module.head(h)


def _gru_steps(module: Any, x: Any) -> Any:
    h = torch.zeros(3, 20)
    for each in x.unbind(0):
        h = module.cell(each, h)
    return h


def _tied_module() -> Any:
    module = Called(
        lambda m, x: m.head(m.f(m.e(x))), e=nn.Embedding(100, 16), f=nn.Linear(16, 16), head=nn.Linear(16, 100)
    )
    module.head.weight = module.e.weight
    return module


STEP = (torch.randn(5, 3, 16),)
MODULES: dict[str, tuple[Callable[[], Any], tuple[Any, ...], int]] = {
    "LSTM with a projection": (lambda: Called(lambda m, x: m.r(x)[0], r=nn.LSTM(16, 64, proj_size=8)), STEP,
                               15 * (256 * 24 + 64 * 8)),
    "two layers, both ways, no bias": (
        lambda: Called(lambda m, x: m.r(x)[0], r=nn.LSTM(16, 64, 2, bias=False, bidirectional=True, proj_size=8)), STEP,
        2 * 2 * 15 * (256 * 24 + 64 * 8)),
    "LSTM cell": (lambda: Called(_steps, cell=nn.LSTMCell(16, 20), head=nn.Linear(20, 5)), STEP, 15 * 80 * 36 + 300),
    "GRU cell": (lambda: Called(_gru_steps, cell=nn.GRUCell(16, 20, bias=False)), STEP, 15 * 60 * 36),
    "weight on the left": (
        lambda: Called(lambda m, x: m.w @ x, w=nn.Parameter(torch.randn(1, 5, 5))), (torch.randn(2, 5, 4),), 200),
    "one layer called three times": (
        lambda: Called(lambda m, x: torch.cat([m.f(p) for p in x.split(10, 1)], 1), f=nn.Linear(10, 10)),
        (torch.randn(1, 30),), 300),
    "head tied to the embedding": (_tied_module, (torch.zeros(1, 4, dtype=torch.int64),), 4 * (256 + 1600)),
    "batch norm without running statistics": (
        lambda: Called(lambda m, x: m.b(m.c(x)), c=nn.Conv2d(3, 8, 3, bias=False), b=nn.BatchNorm2d(8, track_running_stats=False)),
        (torch.randn(1, 3, 9, 9),), 49 * 216),
    "bias table of attention": (
        lambda: Called(lambda m, q: nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=m.t),
                       t=nn.Parameter(torch.randn(4, 9, 9))),
        (torch.randn(2, 4, 9, 8),), 2 * 2 * 4 * 81 * 8),
    "mask and places made of sizes": (
        lambda: Called(lambda m, x: m.f(x) + torch.ones(8, 8).tril() + torch.ones_like(m.f.bias), f=nn.Linear(8, 8)),
        (torch.randn(8, 8),), 512),
    "images that are compared": (
        lambda: Called(lambda m, z, x: nn.functional.conv2d(m.c(x), m.c(z)), c=nn.Conv2d(3, 4, 3, bias=False)),
        (torch.randn(1, 3, 6, 6), torch.randn(1, 3, 12, 12)), 108 * (16 + 100) + 49 * 64),
}  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_parameters_of_a_module_are_those_of_torch(name: str) -> None:
    make, inputs, macs = MODULES[name]
    module = make()
    report = read_torch(module, inputs).report
    assert (report["macs"], report["parameters"]) == (macs, sum(each.numel() for each in module.parameters()))


def test_a_weight_belongs_to_the_first_row_that_has_it() -> None:
    operation = builtin_network("resnet18").operations[0]
    names: tuple[SharedWeights, ...] = ((("a", 4),), (("a", 4), ("b", 3)), (("b", 3),))
    rows = [replace(operation, weight_elements=10, shared_weights=each) for each in names]
    assert first_elements(rows) == [10, 6, 7]
    assert distinct_elements(rows) == 23
