"""Which operations of a network cost something, and what they move."""

from __future__ import annotations

import pytest

from engines.cost.soc.operations import joined, operation_table
from engines.workloads.loader import builtin_network
from tests.engines.cost.soc_for_tests import ELTWISE, GEMM, table


def test_normalisation_and_activation_are_folded_into_the_operation_before() -> None:
    rows = table(
        {**GEMM, "name": "a"},
        {"name": "norm", "kind": "batchnorm", "input_elements": 10_000, "output_elements": 10_000},
        {"name": "relu", "kind": "activation", "input_elements": 10_000, "output_elements": 10_000},
        {"name": "add", "kind": "eltwise", "input_elements": 20_000, "output_elements": 10_000},
        {"name": "relu again", "kind": "activation", "input_elements": 10_000, "output_elements": 10_000},
        {"name": "view", "kind": "reshape", "input_elements": 10_000, "output_elements": 10_000},
    )
    assert rows.runs.tolist() == [True, False, False, True, True, False]


def test_sizes_that_are_not_given_are_those_of_the_operation_before() -> None:
    rows = table(GEMM, {"name": "pool", "kind": "pool"})
    assert rows.activation_elements.tolist() == [20_000, 20_000]


def test_embedding_tables_are_not_read_whole() -> None:
    words = {"name": "words", "kind": "embedding", "weight_elements": 10**6, "output_elements": 100}
    assert table(words, GEMM).weight_elements.tolist() == [0, 10_000]


def test_groups_of_a_convolution_are_launched_one_by_one() -> None:
    grouped = {"name": "g", "kind": "conv", "k": 8, "c": 8, "y": 4, "x": 4, "groups": 4}
    depthwise = {"name": "d", "kind": "depthwise", "k": 8, "c": 8, "y": 4, "x": 4}
    assert table(grouped, depthwise).launches.tolist() == [4, 1]


@pytest.mark.parametrize("slug", ["resnet50", "visformer-small", "bert-base-128"])
def test_a_table_has_the_macs_of_its_network(slug: str) -> None:
    network = builtin_network(slug)
    rows = operation_table(network.operations)
    assert rows.macs.sum() == network.macs and len(rows) == len(network.operations)


def test_blocks_are_runs_of_names_that_begin_alike() -> None:
    rows = table(*({**GEMM, "name": name} for name in ("a.0.x", "a.0.y", "a.1.x", "b.0.x", "a.2.x")))
    assert rows.blocks() == (("a", "b", "a"), (0, 3, 4))
    assert rows.blocks(2) == (("a.0", "a.1", "b.0", "a.2"), (0, 2, 3, 4))
    assert rows.blocks(9)[1] == (0, 1, 2, 3, 4)


def test_operations_are_taken_by_name_in_the_order_of_the_network() -> None:
    rows = table({**GEMM, "name": "a"}, {**GEMM, "name": "b"}, {**GEMM, "name": "c"})
    assert rows.take(["c", "a"]).names == ("a", "c")


def test_operators_without_a_kind_keep_their_name_and_cost_nothing_where_they_are_left_out() -> None:
    unknown = {"name": "boxes", "kind": "unpriced", "operator": "NonMaxSuppression"}
    assert table(GEMM, unknown).kinds == ("gemm", "NonMaxSuppression")
    assert table(GEMM, unknown).runs.tolist() == [True, True]
    assert table(GEMM, {**unknown, "excluded": True}).runs.tolist() == [True, False]


def test_a_processor_tells_convolutions_apart_by_how_their_channels_fill_blocks() -> None:
    image = {"kind": "conv", "r": 3, "s": 3, "y": 8, "x": 8, "pad": 1}
    rows = table(
        {**image, "name": "stem", "k": 32, "c": 3},
        {**image, "name": "narrow", "k": 48, "c": 48, "groups": 6},
        {**image, "name": "wide", "k": 64, "c": 64, "groups": 2},
        {**image, "name": "ragged", "k": 58, "c": 58, "r": 1, "s": 1, "pad": 0},
        {**image, "name": "pointwise", "k": 24, "c": 144, "r": 1, "s": 1, "pad": 0},
        {**image, "name": "depthwise", "kind": "depthwise", "k": 58, "c": 58},
    )
    assert rows.finer_kinds == ("conv", "unblocked_conv", "conv", "unblocked_conv", "pointwise_conv", "depthwise")
    unrolled = [0, 48 * 9 * 64, 0, 0, 0, 58 * 9 * 64]
    assert rows.unrolled_elements.tolist() == unrolled, "a kernel of one pixel needs no copies"


def test_a_product_of_tokens_with_an_activation_is_one_kind_and_one_of_a_vector_is_not() -> None:
    relu = {"name": "relu", "kind": "activation"}
    assert table(GEMM, relu).finer_kinds[0] == "activated_gemm" and table(GEMM, ELTWISE).finer_kinds[0] == "gemm"
    assert table({**GEMM, "y": 1}, relu).finer_kinds[0] == "gemm"


def test_joined_tables_are_one_after_the_other() -> None:
    both = joined([table(GEMM), table(ELTWISE, GEMM)])
    assert both.names == ("gemm", "add", "gemm") and both.macs.tolist() == [1e6, 0, 1e6]
