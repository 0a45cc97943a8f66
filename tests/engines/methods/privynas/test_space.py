"""Blocks of both spaces, and their sizes and operations by hand."""

import pytest

from engines.contract.errors import ProblemError
from engines.methods.privynas.space import InvertedResidual, PrivacySpace, SpaceName, space_of


def space(
    name: SpaceName = "small",
    side: int = 8,
    depth: int | None = None,
    width: float = 1.0,
    kernels: tuple[int, ...] = (),
) -> PrivacySpace:
    return space_of(name, 3, side, 10, depth=depth, width=width, kernels=kernels)


def test_the_small_space() -> None:
    found = space()
    assert [(each.channels_in, each.channels, each.side_in, each.side) for each in found.blocks] == [
        (8, 8, 8, 8), (8, 8, 8, 8), (8, 16, 8, 4), (16, 16, 4, 4), (16, 24, 4, 2), (24, 24, 2, 2),
    ]  # fmt: skip
    assert [each.stride for each in found.blocks] == [1, 1, 2, 1, 2, 1]
    assert found.blocks[3].elements == 16 * 4 * 4 and found.positions == 6


def test_a_block_may_be_left_out_where_it_keeps_its_shape_and_is_not_the_first_of_its_stage() -> None:
    names = [each.names for each in space(kernels=(3,)).blocks]
    assert [len(each) for each in names] == [2, 3, 2, 3, 2, 3]
    assert names[1] == ("MB3 3x3", "MB6 3x3", "skip")
    assert space(kernels=(3,)).size == 2**3 * 3**3


def test_the_published_space_has_21_blocks_of_six_operations_or_seven() -> None:
    found = space("published", side=32)
    assert len(found.blocks) == 21
    # A first block of each of six stages, the last of which has no other.
    assert found.size == 6.0**6 * 7.0**15


def test_mean_operations_by_hand() -> None:
    found = space_of("small", 1, 4, 2, depth=1, width=0.5, kernels=(3,))
    assert (found.stem, found.head) == (4, 32)
    assert [(each.channels_in, each.channels, each.side_in, each.side) for each in found.blocks] == [
        (4, 4, 4, 4), (4, 8, 4, 2), (8, 12, 2, 1),
    ]  # fmt: skip
    # Expand, depthwise and project at 3 and 6 times the channels: 4.5 times on average.
    blocks = 18 * (4 * 16 + 16 * (9 + 4)) + 18 * (4 * 16 + 4 * (9 + 8)) + 36 * (8 * 4 + 1 * (9 + 12))
    assert found.mean_macs == pytest.approx(9 * 4 * 16 + blocks + 12 * 32 + 32 * 2)


def test_widths_are_multiples_of_four_and_no_less() -> None:
    assert [each.channels for each in space(width=0.1).blocks] == [4] * 6
    assert [each.channels for each in space(width=1.3).blocks][::2] == [12, 20, 32]


def test_images_that_cannot_be_halved_so_often_are_refused() -> None:
    with pytest.raises(ProblemError, match="a multiple of 4") as refused:
        space(side=10)
    assert refused.value.field == "params.image_side"
    assert InvertedResidual(5, 6).name == "MB6 5x5"
