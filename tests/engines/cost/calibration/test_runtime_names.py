"""Names of TensorRT and onnxruntime as operations of a network, among them names that hold what joins names."""

from __future__ import annotations

from math import prod

import pytest
from onnx import TensorProto, helper

from engines.cost.calibration.files import LayerMeasurement
from engines.cost.calibration.matching import match_rows
from engines.cost.calibration.runtime_names import ProfileLine, RuntimeNames, node_names
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from engines.workloads.loader import load_network
from engines.workloads.network import Network

SHAPES = {"w": [8, 8, 3, 3], "d": [8, 8, 1, 1], "f": [8, 4], "fb": [4]}
# A stem, a residual block with a convolution beside it, a gate, pooling, a product; names with all that joins names.
NODES = [
    ("Conv", ["x", "w"], "stem", "stem (7x7)", {"pads": [1] * 4}),
    ("Relu", ["stem"], "stem_r", "stem/Relu", {}),
    ("Conv", ["stem_r", "w"], "c1", "b + c/Conv", {"pads": [1] * 4}),
    ("Relu", ["c1"], "r1", "b + c/Relu", {}),
    ("Conv", ["r1", "w"], "c2", "b0...conv2", {"pads": [1] * 4}),
    ("Conv", ["stem_r", "d"], "d2", "b0, down[0].conv", {}),
    ("Add", ["c2", "d2"], "a2", "b0/Add", {}),
    ("Relu", ["a2"], "b0", "b0/relu", {}),
    ("Sigmoid", ["b0"], "s", "gate/Sigmoid", {}),
    ("Mul", ["b0", "s"], "g", "gate/Mul", {}),
    ("GlobalAveragePool", ["g"], "p", "copy", {}),
    ("Flatten", ["p"], "v", "flatten", {}),
    ("Gemm", ["v", "f", "fb"], "y", "fc || head", {}),
]


def network(nodes: list[tuple[str, list[str], str, str, dict[str, object]]] = NODES) -> Network:
    """The nodes as an imported network."""
    weights = [
        helper.make_tensor(name, TensorProto.FLOAT, shape, bytes(4 * prod(shape)), raw=True)
        for name, shape in SHAPES.items()
    ]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", [1, 8, 8, 8]), ("y", [1, 4]))
    ]
    graph = helper.make_graph(
        [helper.make_node(kind, inputs, [output], name, **more) for kind, inputs, output, name, more in nodes],
        "g",
        ends[:1],
        ends[1:],
        weights,
    )
    data = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString()
    return load_network(read_onnx(data, "named.onnx", {}).content)


NETWORK = network()
ALL = tuple(range(len(NODES)))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("stem (7x7) + stem/Relu", (0, 1)),
        ("stem (7x7) + PWN(stem/Relu)", (0, 1)),
        ("PWN(PWN(gate/Sigmoid), gate/Mul)", (8, 9)),
        ("b + c/Conv + b + c/Relu", (2, 3)),
        ("b + c/Conv + b + c/Relu || b0, down[0].conv", (2, 3, 5)),
        ("b0...conv2 + b0/Add + b0/relu", (4, 6, 7)),
        ("fc || head", (12,)),
        ("b0/Add_myl0_12", (6,)),
        ("{stem (7x7),stem/Relu,b + c/Conv}", (0, 1, 2)),
        ("{ForeignNode[b + c/Conv...b0/Add]}", (2, 3, 4, 5, 6)),
        ("{ForeignNode[b0...conv2...gate/Mul]}", (4, 5, 6, 7, 8, 9)),
        ("{ForeignNode[stem (7x7) + stem/Relu...b0...conv2]}", (0, 1, 2, 3, 4)),
        ("{ForeignNode[stem (7x7)...fc || head]}", ALL),
        ("{ForeignNode[{ForeignNode[b + c/Conv...b + c/Relu]}...b0/relu]}", (2, 3, 4, 5, 6, 7)),
        ("stem (7x7) + {ForeignNode[gate/Sigmoid...gate/Mul]} || copy", (0, 8, 9, 10)),
        ("{ForeignNode[copy]}", (10,)),
        ("copy", (10,)),
    ],
)
def test_layers_of_tensorrt_are_the_operations_that_they_name(text: str, places: tuple[int, ...]) -> None:
    assert RuntimeNames(NETWORK).joined(text) == ProfileLine(places)


@pytest.mark.parametrize(
    "text",
    [
        "Reformatting CopyNode for Input Tensor 1 to b + c/Conv + b + c/Relu",
        "Reformatting CopyNode for Output Tensor 0 to {ForeignNode[b + c/Conv...b0/Add]}",
        "Reformatting CopyNode for Network Input x",
        "copy stem (7x7) + stem/Relu",
        "stem (7x7) + stem/Relu copy",
        "{stem (7x7),stem/Relu} to nvm",
        "{stem (7x7),stem/Relu} from nvm",
        "b0/Add copy finish",
        "x finish",
        "stem (7x7) + stem/Relu output reformatter 0",
        "b0...conv2 + b0/Add input reformatter 12",
    ],
)
def test_copies_of_tensorrt_are_of_no_operation(text: str) -> None:
    assert RuntimeNames(NETWORK).joined(text) == ProfileLine(copy=True)


@pytest.mark.parametrize(
    "text",
    [
        "{ForeignNode[no such...gate/Mul]}",
        "{ForeignNode[stem (7x7)...no such]}",
        "{ForeignNode[gate/Mul...stem (7x7)]}",
        "copy + {ForeignNode[no such...gate/Mul]}",
        "(" * 2000,
        "...".join("a" * 500),
    ],
)
def test_regions_whose_ends_are_not_found_are_of_no_known_operations(text: str) -> None:
    assert not (found := RuntimeNames(NETWORK).joined(text)).places and not found.known


def test_onnxruntime_names_convolutions_after_the_tensors_that_they_give() -> None:
    # As onnxruntime 1.32 wrote them of such a network, with all of its optimiser and none of a convolution's own names left.
    nodes = [
        ("ReorderInput", "ReorderInput"), ("stem_r_nchwc", "Conv"), ("r1_nchwc", "Conv"), ("d2_nchwc_token_7", "Conv"),
        ("c2_nchwc", "Conv"),
        ("gate/Mul/QuickGeluFusion/", "QuickGelu"), ("ReorderOutput_token_3", "ReorderOutput"), ("copy", "GlobalAveragePool"),
        ("fused fc || head", "FusedGemm"),
    ]  # fmt: skip
    found = RuntimeNames(NETWORK).nodes(nodes)
    assert [each.places for each in found] == [(), (0, 1), (2, 3), (5,), (4, 6, 7), (8, 9), (), (10,), (12,)]
    assert [each.copy for each in found] == [True, *[False] * 5, True, False, False]


def test_a_convolution_named_after_what_is_fused_behind_it_has_the_time_of_both() -> None:
    nodes = [("stem_r_nchwc", "Conv"), ("r1_nchwc", "Conv"), ("d2_nchwc", "Conv"), ("b0_nchwc", "Conv")]
    assert [each.places for each in RuntimeNames(NETWORK).nodes(nodes)] == [(0, 1), (2, 3), (5,), (4, 6, 7)]


def test_nodes_without_the_optimiser_are_themselves_alone() -> None:
    nodes = [("stem (7x7)", "Conv"), ("stem/Relu", "Relu"), ("b0/Add", "Add"), ("gate/Mul", "Mul")]
    assert [each.places for each in RuntimeNames(NETWORK).nodes(nodes)] == [(0,), (1,), (6,), (9,)]


def test_numbers_of_onnxruntime_are_not_those_of_operators_without_a_name() -> None:
    names = RuntimeNames(network([(kind, inputs, output, "", more) for kind, inputs, output, _, more in NODES]))
    found = names.nodes([("Conv_2", "Conv"), ("r1_nchwc", "Conv")])
    assert [each.places for each in found] == [(), (2, 3)], (
        "Conv_2 is the third operator to one, the second convolution to the other"
    )


def test_names_of_exporters_are_found_without_a_table() -> None:
    assert "/1/Relu" in node_names("/1/Relu_output_0_nchwc")


def test_nodes_of_the_same_operation_are_one_line() -> None:
    lines = [
        LayerMeasurement((name,), "", time, line=number, runtime="onnxruntime", operator=operator)
        for number, (name, operator, time) in enumerate(
            [("r1_nchwc", "Conv", 2.0), ("copy", "Cast", 0.5), ("copy", "Pool", 1.0)], 1
        )
    ]
    rows = match_rows(lines, lambda _: NETWORK, workload="named", unit="gpu").rows
    assert [(row.operations, row.measured, row.line) for row in rows] == [
        (("b + c/Conv",), 2.0, 1),
        (("copy",), 1.5, 2),
    ]


def test_copies_do_not_make_a_profile_one_of_another_network() -> None:
    lines = [
        LayerMeasurement((name,), "", time, line=number, runtime="tensorrt")
        for number, (name, time) in enumerate(
            [("b0/Add", 1.0), ("Reformatting CopyNode for Input Tensor 0 to x", 9.0)], 1
        )
    ]
    found = match_rows(lines, lambda _: NETWORK, workload="named", unit="gpu")
    assert [row.operations for row in found.rows] == [("b0/Add",)]
    assert [(line.line, line.copy, line.folded, line.nearest) for line in found.unmatched] == [(2, True, False, "")]
