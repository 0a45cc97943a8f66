from __future__ import annotations

import onnx
import pytest

from tests.engines.workloads.importing.onnx.onnx_models import file, weight
from tests.engines.workloads.importing.onnx.walks_for_tests import NUMBERS, OPEN, node, read, unpriced


def heads(size: str) -> list[onnx.NodeProto]:
    """(batch, steps, 8) as heads, with the width of a head computed by the operators of `size` from `width`."""
    return [
        node("Shape", "x", "shape"),
        node("Gather", "shape zero", "batch"),
        node("Gather", "shape one", "steps"),
        node("Gather", "shape two", "width"),
        *(node(*each.split(":")) for each in size.split(";")),
        *(node("Unsqueeze", f"{each} axis", f"{each}1") for each in ("batch", "steps", "head")),
        node("Concat", "batch1 steps1 two1 head1", "target", axis=0),
        node("Reshape", "x target", "apart"),
        node("Transpose", "apart", "q", perm=[0, 2, 1, 3]),
        node("Transpose", "apart", "k", perm=[0, 2, 3, 1]),
        node("MatMul", "q k", "out"),
    ]


SIZES = [
    "Div:width two:head",
    "Mul:width one:wide;Div:wide two:head",
    "Sub:width one:less;Div:less two:part;Add:part one:head",
    "Neg:width:minus;Div:minus two:part;Neg:part:head",
]


@pytest.mark.parametrize("size", SIZES)
def test_a_width_that_operators_compute_is_known(size: str) -> None:
    found = read(file(heads(size), {"x": ["batch", "steps", 8]}, NUMBERS), dims=OPEN)
    assert (found.report["macs"], unpriced(found)) == (2 * 2 * 6 * 6 * 4, [])


def test_a_stretched_picture_is_as_large_as_the_other() -> None:
    nodes = [
        node("Conv", "x w", "small", strides=[2, 2]),
        node("Shape", "small", "s", end=2),
        node("Shape", "x", "t", start=2),
        node("Concat", "s t", "sizes", axis=0),
        node("Resize", "small _ _ sizes".replace("_", "none"), "wide", mode="linear"),
        node("Conv", "wide v", "out"),
    ]
    nodes[4].input[1] = nodes[4].input[2] = ""
    found = read(
        file(nodes, {"x": [1, 3, "height", 9]}, [weight("w", 4, 3, 1, 1), weight("v", 5, 4, 1, 1)]), dims={"height": 7}
    )
    assert found.report["macs"] == 4 * 3 * 4 * 5 + 5 * 4 * 7 * 9
