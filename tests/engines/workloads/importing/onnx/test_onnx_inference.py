import onnx
import pytest
from onnx import TensorProto, helper

from engines.workloads.importing.graph import ContradictionError
from engines.workloads.importing.onnx.onnx_facts import OnnxFact, tensor_type
from engines.workloads.importing.onnx.onnx_inference import Inference

MODEL = helper.make_model(helper.make_graph([], "none", [], []), opset_imports=[helper.make_opsetid("", 18)])


def found(*dimensions: int | None) -> OnnxFact:
    return OnnxFact("x", tensor_type(TensorProto.FLOAT, list(dimensions)))


def sizes(kind: onnx.TypeProto) -> list[int]:
    return [each.dim_value for each in kind.tensor_type.shape.dim]


def test_the_standard_says_what_an_operator_gives() -> None:
    inference = Inference(MODEL, {})
    assert inference.opset == 18
    product = helper.make_node("MatMul", ["a", "b"], ["c"])
    assert sizes(inference.types(product, [found(2, 3), found(3, 5)])["c"]) == [2, 5]


def test_what_does_not_fit_is_refused_and_what_is_not_known_has_no_type() -> None:
    inference = Inference(MODEL, {})
    product = helper.make_node("MatMul", ["a", "b"], ["c"])
    with pytest.raises(ContradictionError, match="Incompatible dimensions"):
        inference.types(product, [found(2, 3), found(4, 5)])
    assert inference.types(helper.make_node("Wonder", ["a"], ["c"], domain="mine"), [found(2, 3)]) == {}
