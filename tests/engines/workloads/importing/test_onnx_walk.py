"""Sizes that follow from chains of operators, branches, loops and sequences; each network is made by hand and small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.contract.errors import ProblemError
from tests.engines.workloads.importing.onnx_models import file, weight, whole
from tests.engines.workloads.importing.walks_for_tests import NUMBERS, node, read, unpriced

DATA = Path(__file__).parents[3] / "data"


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
    first = found.content["operations"][0]
    assert (first["name"], first["y"], first["repeats"], first["shared_weights"]) == ("loop/0/turn", 4, 4, {"w": 64})


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
