"""Branches and bottlenecks by hand, and what is refused."""

import pytest

from engines.contract.errors import ProblemError
from engines.data.documents import builtin_data_sets, load_image_data
from engines.methods.split_computing.bottleneck.params import TrainBottleneckParams
from engines.methods.split_computing.bottleneck.shapes import (
    Bottleneck,
    BranchDesign,
    bottlenecks_of,
    encoder_strides,
    inner_width,
    network_content,
    shape_of,
)
from engines.workloads.loader import load_network

DIGITS = load_image_data(builtin_data_sets()["digits"])  # 8 x 8, one channel


def params(**changes: object) -> TrainBottleneckParams:
    return TrainBottleneckParams.model_validate({"blocks": 4, "width": 4, "view_percent": 60, **changes})


def test_the_first_block_of_the_later_thirds_halves_the_map() -> None:
    shape = shape_of(DIGITS, params())
    assert (shape.widths, shape.strides) == ((4, 4, 8, 16), (1, 1, 2, 2))
    assert (shape.height, shape.width, shape.image_width) == (8, 5, 8)  # 60 % of eight columns, rounded up
    assert shape_of(DIGITS, params(view_percent=75)).width == 6
    assert shape.original == BranchDesign(None, ("keep",) * 3)


def test_bytes_that_are_sent() -> None:
    shape = shape_of(DIGITS, params())
    assert shape.sent_bytes(None) == 8 * 5
    assert [shape.sent_bytes(Bottleneck(3, stride)) for stride in (2, 4, 8)] == [3 * 4 * 3, 3 * 2 * 2, 3 * 1 * 1]


def test_bottlenecks_come_with_those_that_send_most_first() -> None:
    found = bottlenecks_of(shape_of(DIGITS, params()), params(channels="1 2, 1", strides="8 2"))
    assert found == (Bottleneck(2, 2), Bottleneck(1, 2), Bottleneck(2, 8), Bottleneck(1, 8))


@pytest.mark.parametrize(
    ("changes", "field", "accepted"),
    [
        ({"channels": "0"}, "channels", "from 1 to 64"),
        ({"channels": "1.5"}, "channels", "from 1 to 64"),
        ({"strides": "3"}, "strides", "some of 2, 4 and 8"),
        ({"strides": ""}, "strides", "some of 2, 4 and 8"),
        ({"channels": "1 2 3 4 5 6 7 8 9", "strides": "2 4 8"}, "channels", "at most 24 pairs"),
    ],
)
def test_what_is_no_bottleneck_is_refused(changes: dict[str, object], field: str, accepted: str) -> None:
    with pytest.raises(ProblemError, match=accepted) as refused:
        bottlenecks_of(shape_of(DIGITS, params()), params(**changes))
    assert refused.value.field == f"params.{field}"


def test_what_takes_the_place_of_a_block_has_fewer_operations() -> None:
    shape = shape_of(DIGITS, params())

    def macs(operator: str) -> int:
        network = load_network(network_content(shape, BranchDesign(None, ("keep", operator, "keep")), "a", "A"))
        return sum(each.macs for each in network.operations)

    # Block 3: 4 to 8 channels on 4 x 3 places, then 8 to 8; the others keep theirs.
    first, second = 4 * 3 * 9 * 4 * 8, 4 * 3 * 9 * 8 * 8
    whole = macs("keep")
    assert whole - macs("dropped") == second
    assert whole - macs("pointwise") == second - 4 * 3 * 8 * 8
    assert whole - macs("halved") == first - first // 2 + second - second // 2
    assert inner_width("halved", 1) == 1


def test_an_encoder_halves_as_often_as_is_needed() -> None:
    for stride in (2, 4, 8):
        first, second, pooled = encoder_strides(Bottleneck(1, stride))
        assert first * second * pooled == stride
