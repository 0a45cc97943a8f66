"""Sizes that follow from chains of operators, branches, loops and sequences; each network is made by hand and small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.contract.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.importing.onnx_reader import read_onnx
from tests.engines.workloads.importing.onnx_models import file, weight, whole

DATA = Path(__file__).parents[3] / "data"
OPEN = {"batch": 2, "steps": 6}


def read(data: bytes, **options: Any) -> ReadDocument:
    return read_onnx(data, "net.onnx", options)


def unpriced(found: ReadDocument) -> list[str]:
    return [row["operator"] for row in found.report["operators"] if row["treatment"] == "unpriced"]


def node(operator: str, inputs: str, output: str, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(operator, inputs.split(), output.split(), output, **attributes)


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


NUMBERS = [
    numpy_helper.from_array(np.array(value, np.int64), name) for name, value in (("zero", 0), ("one", 1), ("two", 2))
] + [whole("axis", 0), whole("two1", 2), numpy_helper.from_array(np.array(0.5, np.float32), "half")]
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
    assert [row["name"] for row in found.content["operations"]][:2] == ["loop/0/turn", "loop/1/turn"]


def test_a_loop_whose_turns_depend_on_the_data_is_listed() -> None:
    with pytest.raises(ProblemError, match="at least one that computes"):
        read(_loop("given"))


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


def test_parts_of_a_sequence_have_their_sizes() -> None:
    nodes = [
        node("SplitToSequence", "x parts", "pieces", axis=-1),
        node("SequenceAt", "pieces zero", "a"),
        node("SequenceAt", "pieces one", "b"),
        node("SequenceLength", "pieces", "many"),
        node("MatMul", "a w", "c"),
        node("SequenceConstruct", "c b c", "three"),
        node("ConcatFromSequence", "three", "d", axis=-1),
        node("MatMul", "d v", "out"),
    ]
    weights = [*NUMBERS, whole("parts", 6, 2), weight("w", 6, 3), weight("v", 8, 5)]
    found = read(file(nodes, {"x": ["batch", 8]}, weights), dims={"batch": 4})
    assert (found.report["macs"], unpriced(found)) == (4 * 6 * 3 + 4 * 8 * 5, [])


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
    assert any("froze sizes" in note and "has 10" in note and "6" in note for note in found.report["notes"])
    assert not read(data, dims={"batch": 2, "steps": 10}).report["notes"]


def test_a_reshape_that_fits_no_sizes_is_refused_by_name() -> None:
    data = _frozen("places", whole("places", 7, 5))
    with pytest.raises(ProblemError, match=r"same reshapes 2 x 6 x 2 to 2 x 7 x 5 x 2") as caught:
        read(data, dims=OPEN)
    assert (caught.value.field, caught.value.got) == ("dims", OPEN)


# -- sizes that depend on the data -----------------------------------------------------------------------------------


def _chosen() -> bytes:
    """A product of the rows that are not zero: how many is not known before the data is."""
    nodes = [
        node("NonZero", "x", "places"),
        node("Transpose", "places", "rows", perm=[1, 0]),
        node("Cast", "rows", "numbers", to=TensorProto.FLOAT),
        node("MatMul", "numbers w", "out"),
        node("MatMul", "x w8", "also"),
    ]
    return file(nodes, {"x": ["batch", 8]}, [weight("w", 2, 3), weight("w8", 8, 8)])


def test_a_size_that_depends_on_the_data_is_asked_for_by_name_and_taken() -> None:
    found = read(_chosen(), dims={"batch": 4}, exclude=["NonZero"])
    assert found.report["open_sizes"] == [{"name": "places.1", "operator": "NonZero"}]
    assert unpriced(found) == ["MatMul (size not known)"]
    given = read(_chosen(), dims={"batch": 4, "places.1": 5}, exclude=["NonZero"])
    assert (given.report["macs"], unpriced(given)) == (5 * 2 * 3 + 4 * 64, [])
    assert given.report["sizes"] == {"batch": 4, "places.1": 5}


def test_a_size_that_the_network_does_not_have_is_refused_with_those_that_it_has() -> None:
    with pytest.raises(ProblemError, match=r"batch, places\.1"):
        read(_chosen(), dims={"batch": 4, "elsewhere.0": 5})


# -- files of both exporters of torch ---------------------------------------------------------------------------------

# Networks of `attention_networks`, exported with open dimensions (opset 16 and 18), without the numbers of their weights. The MACs
# are those that torch counts in the module itself at these sizes, others than at the export.
IMAGE = {"batch": 3, "height": 24, "width": 16}
EXPORTS = {
    "vision": (IMAGE, 845_952),
    "windows": (IMAGE, 1_585_152),
    "mobile-vision": (IMAGE, 5_704_704),
    "decoder": ({"batch": 3, "steps": 14, "length": 9}, 375_168),
    "grouped-queries": ({"batch": 3, "steps": 14}, 123_648),
}


@pytest.mark.parametrize("exporter", ["torchscript", "dynamo"])
@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_with_open_dimensions_is_read_whole(name: str, exporter: str) -> None:
    sizes, macs = EXPORTS[name]
    found = read((DATA / "onnx" / f"{name}-{exporter}.onnx").read_bytes(), dims=sizes)
    assert (found.report["macs"], unpriced(found), found.report["sizes"]) == (macs, [], sizes)
