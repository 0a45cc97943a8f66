"""Operations that compute no products."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.engines.workloads.runnable.networks import MAP, STEM, graph_of, nodes_of


def output_shape(*operations: dict[str, object]) -> list[int]:
    """Return the shape of the last operation's result."""
    graph = graph_of(*operations)
    found = next(each for each in graph.output if each.name.startswith(str(operations[-1]["name"])))
    return [size.dim_value for size in found.type.tensor_type.shape.dim]


def test_a_pooling_over_the_columns_keeps_the_rows() -> None:
    wide = {**STEM, "y": 13, "x": 13}
    given = {"name": "pool", "kind": "pool", "input_elements": 8 * 169, "output_elements": 8 * 13}
    assert output_shape(wide, given) == [1, 8, 13, 1]


@pytest.mark.parametrize(
    ("given", "shape"), [(512, [1, 8, 8, 8]), (2048, [1, 8, 16, 16]), (8, [1, 8, 1, 1]), (392, [1, 8, 7, 7])]
)
def test_poolings_have_the_size_of_the_document(given: int, shape: list[int]) -> None:
    assert (
        output_shape(STEM, {"name": "pool", "kind": "pool", "input_elements": 2048, "output_elements": given}) == shape
    )


def test_a_pooling_to_no_map_is_refused() -> None:
    with pytest.raises(ProblemError, match="a pooling with windows"):
        graph_of(STEM, {"name": "pool", "kind": "pool", "input_elements": 2048, "output_elements": 8 * 13})


def test_branches_are_put_together() -> None:
    rows = [
        STEM,
        {**STEM, "name": "b", "k": 4, "c": 8, "reads": [0]},
        {**STEM, "name": "c", "k": 6, "c": 8, "reads": [0]},
    ]
    assert output_shape(*rows, {"name": "all", "kind": "concat", "input_elements": 2560, "output_elements": 2560}) == [
        1,
        10,
        16,
        16,
    ]


def test_a_dense_block_reads_what_was_read_before() -> None:
    rows = [STEM, {**STEM, "name": "b", "k": 4, "c": 8}]
    assert output_shape(*rows, {"name": "all", "kind": "concat", "input_elements": 3072, "output_elements": 3072}) == [
        1,
        12,
        16,
        16,
    ]


def test_results_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ProblemError, match="all elements of earlier results"):
        graph_of(STEM, {"name": "all", "kind": "concat", "input_elements": 3000, "output_elements": 3000})


@pytest.mark.parametrize(
    ("kind", "more", "operator"),
    [
        ("batchnorm", {"weight_elements": 16}, "BatchNormalization"),
        ("activation", {}, "Relu"),
        ("softmax", {}, "Softmax"),
        ("reduce", {"output_elements": 8}, "ReduceMean"),
        ("resize", {"output_elements": 8192}, "Resize"),
        ("norm", {"weight_elements": 16}, "LayerNormalization"),
    ],
)
def test_each_kind_has_its_operator(kind: str, more: dict[str, int], operator: str) -> None:
    assert nodes_of(STEM, {"name": "next", "kind": kind, **MAP, **more})[-1] == ("next", operator)


def test_rows_of_a_table_are_asked_for_by_number() -> None:
    rows = {"name": "words", "kind": "embedding", "input_elements": 4, "output_elements": 32, "weight_elements": 800}
    graph = graph_of(rows, {"name": "head", "kind": "gemm", "k": 4, "c": 8, "y": 4})
    assert [(node.name, node.op_type) for node in graph.node] == [("words", "Gather"), ("head", "MatMul")]
    assert graph.input[0].type.tensor_type.elem_type == 7, "int64"


def test_what_moves_nothing_is_no_node() -> None:
    assert nodes_of(STEM, {"name": "flat", "kind": "reshape", **MAP}) == [("stem", "Conv")]


def test_a_concatenation_joins_what_the_document_says_that_it_reads() -> None:
    half = {"kind": "conv", "k": 4, "c": 8, "y": 16, "x": 16}
    joined = {"name": "join", "kind": "concat", "input_elements": 3072, "output_elements": 3072, "reads": [0, 1]}
    graph = graph_of(STEM, {**half, "name": "half"}, joined)
    (node,) = (node for node in graph.node if node.op_type == "Concat")
    assert (node.name, len(node.input)) == ("join", 2)
    assert [each.dim_value for each in graph.output[0].type.tensor_type.shape.dim] == [1, 12, 16, 16]


def test_results_of_other_sizes_are_joined_as_one_row() -> None:
    pool = {"name": "pool", "kind": "pool", "input_elements": 2048, "output_elements": 512}
    outputs = {"name": "outputs", "kind": "concat", "input_elements": 2560, "output_elements": 2560, "reads": [0, 1]}
    graph = graph_of(STEM, pool, outputs)
    assert [each.dim_value for each in graph.output[0].type.tensor_type.shape.dim] == [1, 2560]


def test_a_map_may_grow_by_a_fraction() -> None:
    resize = {"name": "resize", "kind": "resize", "input_elements": 2048, "output_elements": 8 * 20 * 20}
    graph = graph_of(STEM, resize)
    assert [each.dim_value for each in graph.output[0].type.tensor_type.shape.dim] == [1, 8, 20, 20]
