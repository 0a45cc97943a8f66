"""Operations folded into schedulable layers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.workloads.errors import WorkloadError
from engines.workloads.layer_fusion import group_operations, lookup_elements
from engines.workloads.network import COMPUTE_KINDS, Layer, Operation
from engines.workloads.operations import to_operation
from engines.workloads.schema import OperationSection


def operations(*rows: dict[str, object]) -> list[Operation]:
    return [
        to_operation(index, OperationSection.model_validate({"name": f"o{index}", **row}))
        for index, row in enumerate(rows)
    ]


def gemm(k: int = 4, c: int = 4, y: int = 2) -> dict[str, object]:
    return {"kind": "gemm", "k": k, "c": c, "y": y}


CONV = {"kind": "conv", "k": 4, "c": 2, "r": 3, "s": 3, "y": 8, "x": 8, "pad": 1}


def test_what_follows_is_folded_into_the_compute_operation_before() -> None:
    layers = group_operations(
        operations(
            CONV,
            {"kind": "batchnorm", "weight_elements": 8, "input_elements": 256, "output_elements": 256},
            {"kind": "activation", "input_elements": 256, "output_elements": 256},
            {"kind": "pool", "input_elements": 256, "output_elements": 64},
            {"kind": "conv", "k": 1, "c": 4, "y": 4, "x": 4},
        )
    )
    assert [layer.folded for layer in layers] == [("o1", "o2", "o3"), ()]
    assert layers[0].weight_elements == 4 * 2 * 9 + 8
    assert (layers[0].output_elements, layers[1].input_elements) == (64, 64)


def test_what_comes_first_is_folded_into_the_first_and_tables_are_no_weights() -> None:
    rows = operations(
        {"kind": "embedding", "weight_elements": 1000, "input_elements": 2, "output_elements": 8},
        {"kind": "norm", "weight_elements": 8, "input_elements": 8, "output_elements": 8},
        gemm(),
    )
    (layer,) = group_operations(rows)
    assert layer.folded == ("o0", "o1")
    assert (layer.weight_elements, lookup_elements(rows)) == (16 + 8, 1000)


def test_a_pooling_that_opens_a_branch_goes_to_the_layer_after_it() -> None:
    branch = {"kind": "conv", "k": 4, "c": 2, "y": 8, "x": 8}
    pooling = {"kind": "pool", "input_elements": 128, "output_elements": 128}  # of the block's input, not of o0's 256
    layers = group_operations(operations(CONV, pooling, branch))
    assert [layer.folded for layer in layers] == [(), ("o1",)]
    assert layers[0].output_elements == 256


def test_a_pooling_that_is_a_whole_branch_goes_with_the_concatenation_after_it() -> None:
    pooling = {"kind": "pool", "input_elements": 128, "output_elements": 32}  # of the block's input, not of o0's 256
    joined = {"kind": "concat", "input_elements": 288, "output_elements": 288}
    layers = group_operations(operations(CONV, pooling, joined, CONV))
    assert [layer.folded for layer in layers] == [("o1", "o2"), ()]
    assert layers[0].output_elements == 288


def test_a_residual_addition_folds_and_a_concatenation_gives_out_everything() -> None:
    layers = group_operations(
        operations(
            CONV,
            {"kind": "eltwise", "input_elements": 512, "output_elements": 256},
            CONV,
            {"kind": "concat", "input_elements": 512, "output_elements": 512},
        )
    )
    assert [layer.output_elements for layer in layers] == [256, 512]


def test_what_is_left_at_the_end_is_folded_into_the_last() -> None:
    stray = {"kind": "pool", "input_elements": 999, "output_elements": 9}
    (layer,) = group_operations(operations(CONV, stray))
    assert layer.folded == ("o1",)
    assert layer.output_elements == 256


def test_an_attention_product_is_a_layer_with_one_repeat_per_head() -> None:
    layers = group_operations(
        operations(gemm(), {"kind": "matmul", "k": 8, "c": 4, "y": 8, "repeats": 3}, {"kind": "softmax"})
    )
    assert (layers[1].kind, layers[1].repeats, layers[1].folded) == ("matmul", 3, ("o2",))


def test_the_input_of_a_layer_includes_its_padding() -> None:
    (layer,) = group_operations(operations({**CONV, "stride": 2, "pad": [1, 2]}))
    assert (layer.y, layer.x) == (10, 12)


def test_a_depthwise_layer_keeps_its_channels_and_repeats_its_multiplier() -> None:
    (layer,) = group_operations(operations({"kind": "depthwise", "k": 12, "c": 6, "r": 3, "s": 3, "y": 5, "x": 5}))
    assert (layer.depthwise, layer.k, layer.c, layer.groups, layer.repeats) == (True, 1, 6, 1, 2)
    assert macs_by_dimensions(layer) == layer.macs


def test_a_transposed_convolution_is_a_one_by_one_to_kernel_times_channels() -> None:
    (layer,) = group_operations(
        operations({"kind": "transposed_conv", "k": 4, "c": 8, "r": 2, "s": 2, "y": 5, "x": 3, "stride": 2})
    )
    assert (layer.kind, layer.k, layer.r, layer.stride) == ("conv", 16, 1, 1)
    assert macs_by_dimensions(layer) == layer.macs
    assert layer.output_elements == 4 * 10 * 6


def test_a_network_that_computes_nothing_is_refused() -> None:
    with pytest.raises(WorkloadError, match="at least one that computes"):
        group_operations(operations({"kind": "activation"}))


def macs_by_dimensions(layer: Layer) -> int:
    """MACs as a cost model sees them."""
    outputs = ((layer.y - layer.r) // layer.stride + 1) * ((layer.x - layer.s) // layer.stride + 1)
    return layer.k * layer.c * layer.r * layer.s * outputs * layer.groups * layer.repeats


@st.composite
def rows(draw: st.DrawFn) -> dict[str, object]:
    kind = draw(
        st.sampled_from(
            ["conv", "depthwise", "gemm", "matmul", "transposed_conv", "pool", "norm", "eltwise", "embedding"]
        )
    )
    size = st.integers(1, 5)
    if kind in ("gemm", "matmul"):
        repeats = draw(size) if kind == "matmul" else 1
        return {"kind": kind, "k": draw(size), "c": draw(size), "y": draw(size), "repeats": repeats}
    if kind == "transposed_conv":
        kernel = draw(st.integers(1, 3))
        sizes = {"k": draw(size), "c": draw(size), "y": draw(st.integers(3, 6)), "x": draw(st.integers(3, 6))}
        return {"kind": kind, "r": kernel, "s": kernel, "stride": kernel, **sizes}
    if kind in ("conv", "depthwise"):
        groups = draw(size)
        c = groups if kind == "depthwise" else groups * draw(size)
        shape = {name: draw(st.integers(1, 3)) for name in ("r", "s", "stride")}
        plane = {
            "y": draw(st.integers(3, 9)),
            "x": draw(st.integers(3, 9)),
            "pad": [draw(st.integers(0, 2)) for _ in range(2)],
        }
        return {"kind": kind, "k": groups * draw(size), "c": c, "groups": groups, **shape, **plane}
    figures = {f"{name}_elements": draw(st.integers(0, 50)) for name in ("weight", "input", "output")}
    return {"kind": kind, **figures}


@given(st.lists(rows(), min_size=1, max_size=12))
def test_grouping_loses_nothing(drawn: list[dict[str, object]]) -> None:
    given_operations = operations({"kind": "gemm"}, *drawn)
    layers = group_operations(given_operations)
    computing = [o for o in given_operations if o.kind in COMPUTE_KINDS]
    assert [layer.name for layer in layers] == [o.name for o in computing]
    assert sum(layer.macs for layer in layers) == sum(o.macs for o in given_operations)
    weights = sum(layer.weight_elements for layer in layers) + lookup_elements(given_operations)
    assert weights == sum(o.weight_elements for o in given_operations)
    folded = sorted(name for layer in layers for name in layer.folded)
    assert folded == sorted(o.name for o in given_operations if o.kind not in COMPUTE_KINDS)
    for layer, operation in zip(layers, computing, strict=True):
        assert macs_by_dimensions(layer) == layer.macs == operation.macs


def test_a_grouped_transposed_convolution_is_as_many_small_convolutions() -> None:
    row = {"kind": "transposed_conv", "k": 4, "c": 8, "r": 3, "s": 3, "y": 5, "x": 3, "stride": 2, "groups": 2}
    (layer,) = group_operations(operations(row))
    assert (layer.k, layer.c, layer.groups, layer.y, layer.x) == (2 * 9, 4, 2, 5, 3)
    assert layer.macs == layer.k * layer.c * layer.groups * layer.y * layer.x
    assert layer.output_elements == 4 * 11 * 7
