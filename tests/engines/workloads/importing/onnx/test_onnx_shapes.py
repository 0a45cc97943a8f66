from __future__ import annotations

import onnx
import pytest
from onnx import helper

from engines.contract.errors import ProblemError
from tests.engines.workloads.importing.onnx.onnx_models import file, model, weight, whole
from tests.engines.workloads.importing.onnx.walks_for_tests import NUMBERS, OPEN, node, read


def _frozen(steps: str, *more: onnx.TensorProto) -> bytes:
    """A reshape with the steps of the export in place of those of the input, as a trace leaves them."""
    nodes = [
        node("Shape", "x", "shape"),
        node("Slice", "shape axis one1", "batch1"),
        node("Concat", f"batch1 {steps} two1", "target", axis=0),
        node("Reshape", "x target", "same"),
        node("MatMul", "same w", "out"),
    ]
    return file(nodes, {"x": ["batch", "steps", 2]}, [*NUMBERS, whole("one1", 1), *more, weight("w", 2, 3)])


def test_a_size_that_the_exporter_froze_is_the_one_that_fits() -> None:
    data = _frozen("ten", whole("ten", 10))
    found = read(data, dims=OPEN)
    assert found.report["macs"] == 2 * 6 * 2 * 3
    assert any("fixed sizes" in note and "has 10" in note and "6" in note for note in found.report["notes"])
    assert not read(data, dims={"batch": 2, "steps": 10}).report["notes"]


def test_a_reshape_that_fits_no_sizes_is_refused_by_name() -> None:
    data = _frozen("places", whole("places", 7, 5))
    with pytest.raises(ProblemError, match=r"same reshapes 2 x 6 x 2 to 2 x 7 x 5 x 2") as caught:
        read(data, dims=OPEN)
    assert (caught.value.field, caught.value.got) == ("dims", OPEN)


_AXES = {
    "initializer": (13, "x axes", [whole("axes", 0, -1)], []),
    "constant": (13, "x axes", [], [helper.make_node("Constant", [], ["axes"], value=whole("", 0, -1))]),
    "expression": (13, "x axes", [whole("a", 1, 2), whole("b", 1, 0)], [node("Sub", "a b", "axes")]),
    "attribute": (11, "x", [], []),
}  # fmt: skip


@pytest.mark.parametrize("origin", _AXES)
def test_a_squeeze_of_pytorch_keeps_axes_of_other_sizes_than_one(origin: str) -> None:
    opset, inputs, weights, nodes = _AXES[origin]
    attributes = {"axes": [0, -1]} if origin == "attribute" else {}
    nodes = [*nodes, node("Squeeze", inputs, "less", **attributes), node("MatMul", "less w", "out")]
    found = model(nodes, {"x": [1, 5, 6]}, [*weights, weight("w", 6, 4)], opset=opset)
    with pytest.raises(ProblemError, match=r"Squeeze less of 1 × 5 × 6"):
        read(found.SerializeToString())
    found.producer_name = "pytorch"
    report = read(found.SerializeToString()).report
    assert report["macs"] == 5 * 6 * 4
    assert any("squeezes an axis of 6 (less; 1 in all)" in note for note in report["notes"])
