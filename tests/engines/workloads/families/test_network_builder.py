"""Operations drawn one after the other."""

from __future__ import annotations

import pytest

from engines.workloads.families.network_builder import Drawing, divisible
from tests.engines.workloads.families.shapes import network


def test_a_convolution_brings_its_normalisation_and_activation() -> None:
    drawing = Drawing((3, 8, 6))
    drawing.conv("first", 4, 3, stride=2)
    assert drawing.shape == (4, 4, 3)
    conv, norm, act = drawing.rows
    assert (conv["kind"], conv["pad"], conv["weight_elements"]) == ("conv", 1, 4 * 3 * 9)
    assert (norm["kind"], norm["weight_elements"], norm["input_elements"]) == ("batchnorm", 8, 48)
    assert act == {
        "name": "first:act", "kind": "activation", "input_elements": 48, "output_elements": 48, "weight_elements": 0
    }  # fmt: skip


def test_a_bias_stands_in_for_the_normalisation() -> None:
    drawing = Drawing((3, 8, 8))
    drawing.conv("biased", 4, norm=False, act=False)
    drawing.conv("bare", 4, norm=False, bias=False, act=False)
    drawing.conv("filter", 4, 3, groups=4, act=False)
    assert [row["weight_elements"] for row in drawing.rows] == [16, 16, 36, 8]
    assert [row["kind"] for row in drawing.rows] == ["conv", "conv", "depthwise", "batchnorm"]


@pytest.mark.parametrize(("ceil", "side"), [(False, 4), (True, 5)])
def test_a_pooling_may_reach_over_the_edge(ceil: bool, side: int) -> None:
    drawing = Drawing((2, 10, 10))
    drawing.pool("pool", 3, 2, ceil=ceil)
    assert drawing.shape == (2, side, side)
    assert drawing.rows[0]["output_elements"] == 2 * side**2


def test_squeeze_and_excitation_leaves_the_shape() -> None:
    drawing = Drawing((8, 4, 4))
    drawing.squeeze_excitation("se", 2)
    assert drawing.shape == (8, 4, 4)
    assert [row["kind"] for row in drawing.rows] == ["pool", "conv", "activation", "conv", "activation", "eltwise"]
    assert drawing.rows[-1]["input_elements"] == 8 * 16 + 8


def test_signals_have_one_column() -> None:
    drawing = Drawing((2, 100, 1), dimensions=1)
    drawing.conv("conv", 4, 5, stride=2, norm=False)
    drawing.pool("pool", 2, 2)
    assert drawing.shape == (4, 25, 1)
    (layer,) = network(drawing.rows).layers
    assert (layer.r, layer.s, layer.macs, layer.output_elements) == (5, 1, 4 * 2 * 5 * 50, 100)


@pytest.mark.parametrize(("value", "rounded"), [(32, 32), (83, 80), (84, 88), (3, 8), (12.8, 16), (150.4, 152)])
def test_channels_are_multiples_of_eight_and_not_much_fewer(value: float, rounded: int) -> None:
    assert divisible(value) == rounded


def test_a_row_says_what_it_reads_where_that_is_not_the_row_before_alone() -> None:
    drawing = Drawing((3, 8, 8))
    drawing.conv("a", 4, norm=False, act=False)
    entry = drawing.last
    drawing.conv("b", 4, norm=False, act=False)
    drawing.reading(drawing.last, entry)
    drawing.add("sum")
    drawing.reading(drawing.last)
    drawing.act("act")
    assert [row.get("reads") for row in drawing.rows] == [[], None, [0, 1], None]


def test_squeeze_and_excitation_scales_the_map_that_it_averages() -> None:
    drawing = Drawing((3, 8, 8))
    drawing.conv("a", 4, norm=False, act=False)
    drawing.squeeze_excitation("se", 2)
    assert drawing.rows[-1]["name"] == "se.scale" and drawing.rows[-1]["reads"] == [0, drawing.last - 1]


def test_branches_read_the_row_that_they_begin_at() -> None:
    drawing = Drawing((3, 8, 8))
    drawing.conv("stem", 8, norm=False, act=False)
    stem = drawing.feature
    drawing.conv("left", 4, norm=False, act=False)
    left = drawing.feature
    drawing.branch(stem, 4)
    assert drawing.feature == (0, (4, 8, 8))
    drawing.conv("right", 4, norm=False, act=False)
    drawing.join("join", left, drawing.feature)
    drawing.sum("sum", drawing.feature, stem)
    assert drawing.shape == (8, 8, 8)
    assert [operation.sources for operation in network(drawing.rows).operations] == [(), (0,), (0,), (1, 2), (0, 3)]
    assert [row.get("c") for row in drawing.rows[:3]] == [3, 8, 4]


def test_outputs_of_any_shape_are_joined() -> None:
    drawing = Drawing((3, 8, 8))
    drawing.conv("fine", 4, norm=False, act=False)
    fine = drawing.feature
    drawing.pool("pool", 2, 2)
    drawing.outputs("outputs", fine, drawing.feature)
    assert (drawing.shape, drawing.rows[-1]["output_elements"]) == ((4 * 64 + 4 * 16, 1, 1), 4 * 64 + 4 * 16)


@pytest.mark.parametrize(
    ("pad", "stored", "shape"),
    [(None, [5, 2], (2, 10, 11)), ((4, 5, 1, 1), [4, 5, 1, 1], (2, 9, 9)), ((1, 1, 1, 1), 1, (2, 2, 9))],
)
def test_a_kernel_may_be_higher_than_wide(
    pad: tuple[int, ...] | None, stored: int | list[int], shape: tuple[int, int, int]
) -> None:
    drawing = Drawing((1, 9, 10))
    drawing.conv("conv", 2, 10, columns=4, pad=pad)
    assert drawing.rows[0]["weight_elements"] == 2 * 40
    assert (drawing.rows[0]["pad"], drawing.shape) == (stored, shape)
    (layer,) = network(drawing.rows).layers
    assert layer.output_elements == shape[0] * shape[1] * shape[2]


def test_dilated_and_transposed_convolutions_and_interpolation() -> None:
    drawing = Drawing((4, 16, 16))
    drawing.conv("dilated", 4, 3, dilation=4)
    assert drawing.shape == (4, 16, 16)
    drawing.transposed_conv("enlarged", 2, 4, pad=1)
    assert drawing.shape == (2, 32, 32)
    drawing.resize("resized", 40, 20)
    assert drawing.shape == (2, 40, 20)
    dilated, enlarged = network(drawing.rows).layers
    assert (dilated.macs, enlarged.macs) == (4 * 4 * 9 * 256, 4 * 2 * 16 * 256)
