"""Operations: figures computed from the dimensions, and checks of those given."""

from __future__ import annotations

from typing import Any

import pytest

from engines.workloads.errors import WorkloadError
from tests.engines.workloads.documents_for_tests import operation


def test_a_gemm_counts_rows_as_height() -> None:
    it = operation("gemm", k=10, c=20, y=5)
    assert (it.macs, it.weight_elements, it.input_elements, it.output_elements) == (1000, 200, 100, 50)


def test_an_attention_product_reads_two_activations_and_no_weights() -> None:
    it = operation("matmul", k=128, c=64, y=128, repeats=12)
    assert it.macs == 12 * 128 * 64 * 128
    assert (it.weight_elements, it.input_elements, it.output_elements) == (0, 12 * 2 * 128 * 64, 12 * 128 * 128)


def test_a_transposed_convolution_meets_every_weight_once_per_input() -> None:
    it = operation("transposed_conv", k=4, c=8, r=2, s=2, y=5, x=3, stride=2)
    assert (it.oy, it.ox) == (10, 6)
    assert it.macs == 4 * 8 * 4 * 15
    assert it.output_elements == 4 * 60


def test_a_transposed_convolution_overlaps_is_cut_and_padded() -> None:
    # Outputs (5-1)*2 + 3 - 1 - 1 + 1 = 10 and (3-1)*2 + 3 - 1 - 1 + 1 = 6; every input meets 3x3 weights of its group.
    it = operation("transposed_conv", k=4, c=8, r=3, s=3, y=5, x=3, stride=2, pad=1, output_pad=1, groups=2)
    assert (it.oy, it.ox) == (10, 6)
    assert it.macs == 4 * (8 // 2) * 9 * 15
    assert (it.padding_y, it.padding_x) == (0, 0)


@pytest.mark.parametrize(
    ("figures", "outputs"),
    [
        # (size + padding - (dilation * (kernel - 1) + 1)) // stride + 1 in each direction
        ({"r": 3, "s": 3, "y": 16, "x": 16, "pad": 2, "dilation": 2}, (16, 16)),
        ({"r": 3, "s": 3, "y": 16, "x": 16, "dilation": [3, 1]}, (10, 14)),
        ({"r": 3, "s": 5, "y": 16, "x": 20, "stride": [1, 2]}, (14, 8)),
        ({"r": 1, "s": 10, "y": 1, "x": 400, "stride": [1, 5], "dilation": 2}, (1, 77)),
    ],
)
def test_dilation_and_two_strides_keep_outputs_and_macs(figures: dict[str, Any], outputs: tuple[int, int]) -> None:
    it = operation("conv", k=4, c=2, **figures)
    assert (it.oy, it.ox) == outputs
    assert it.macs == 4 * 2 * figures["r"] * figures["s"] * outputs[0] * outputs[1]
    # As the dataflow cost model counts: undilated, one stride, padding included.
    scheduled = ((it.y + it.padding_y - it.r) // it.stride + 1, (it.x + it.padding_x - it.s) // it.stride + 1)
    assert scheduled == outputs


def test_two_paddings_are_height_and_width() -> None:
    it = operation("conv", r=1, s=7, y=17, x=17, pad=[0, 3])
    assert (it.oy, it.ox) == (17, 17)


def test_four_paddings_are_top_bottom_left_right() -> None:
    # An even kernel keeps the size only with one zero more on one side: (12+1+2-4)+1 = 12, (16+1+2-4)+1 = 16.
    it = operation("conv", r=4, s=4, y=12, x=16, pad=[1, 2, 2, 1])
    assert (it.oy, it.ox) == (12, 16)
    assert (it.padding_y, it.padding_x) == (3, 3)


@pytest.mark.parametrize(
    ("kind", "figures", "key"),
    [
        ("conv", {"r": 9, "y": 8, "x": 8}, "r"),
        ("conv", {"s": 11, "y": 8, "x": 8, "pad": 1}, "s"),
        ("conv", {"k": 3, "c": 2, "groups": 2}, "groups"),
        ("conv", {"pad": [1, 2, 3]}, "pad"),
        ("conv", {"pad": []}, "pad"),
        ("conv", {"k": 8, "macs": 9}, "macs"),
        ("conv", {"k": 8, "weight_elements": 9}, "weight_elements"),
        ("conv", {"c": 8, "input_elements": 9}, "input_elements"),
        ("conv", {"k": 8, "output_elements": 9}, "output_elements"),
        ("gemm", {"x": 2}, "x"),
        ("gemm", {"y": 4, "stride": 2}, "stride"),
        ("matmul", {"weight_elements": 5}, "weight_elements"),
        ("depthwise", {"k": 4, "c": 4, "groups": 2}, "groups"),
        ("depthwise", {"k": 5, "c": 4}, "groups"),
        ("transposed_conv", {"r": 2, "s": 2, "stride": 2, "pad": 1}, "pad"),
        ("conv", {"r": 3, "s": 3, "y": 4, "x": 4, "dilation": 2}, "r"),
        ("conv", {"output_pad": 1}, "output_pad"),
        ("conv", {"stride": [1, 2, 3]}, "stride"),
        ("conv", {"dilation": []}, "dilation"),
        ("conv", {"operator": "Loop"}, "operator"),
        ("pool", {"excluded": True}, "excluded"),
        ("unpriced", {}, "operator"),
        ("unpriced", {"operator": "Loop", "macs": 3}, "macs"),
        ("gemm", {"dilation": 2}, "dilation"),
        ("pool", {"macs": 3}, "macs"),
    ],
)
def test_contradictions_are_named(kind: str, figures: dict[str, Any], key: str) -> None:
    with pytest.raises(WorkloadError) as caught:
        operation(kind, **figures)
    assert caught.value.key == f"operations.0.{key}"


def test_sizes_whose_product_no_machine_computes_are_refused() -> None:
    with pytest.raises(WorkloadError, match="multiply-accumulates"):
        operation("gemm", k=10**6, c=10**6, y=10**6)


@pytest.mark.parametrize(("weights", "kernel"), [(0, 216), (8, 216), (216, 0), (224, 0)])
def test_a_kernel_that_is_computed_is_part_of_what_is_read(weights: int, kernel: int) -> None:
    it = operation("conv", k=8, c=3, r=3, s=3, y=16, x=12, weight_elements=weights)
    assert (it.weight_elements, it.input_elements) == (weights, 576 + kernel)


def test_a_product_with_a_weight_has_that_weight() -> None:
    with pytest.raises(WorkloadError, match="200, or 210 with bias, as the dimensions of it say"):
        operation("gemm", k=10, c=20, weight_elements=0)
