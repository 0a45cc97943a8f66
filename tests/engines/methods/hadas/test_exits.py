"""Where exits may stand."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.cost.soc.operations import operation_table
from engines.methods.hadas.exits import EXIT_CHANNELS, attentive_positions, block_positions, exit_table, joined_ends
from engines.methods.hadas.space import BASELINES
from engines.workloads.families.attentive_nas import attentivenas_network
from engines.workloads.loader import builtin_network, load_network


def test_exits_stand_after_the_fifth_mbconv_layer_and_later_ones_but_the_last() -> None:
    network = load_network(attentivenas_network("a0", "a0", "a0", BASELINES["a0"]))  # 17 layers
    found = attentive_positions(network, operation_table(network.operations), 5)
    assert found.numbers == tuple(range(5, 17))  # n - 5 places
    assert found.blocks[0] == "stage3.0"
    assert found.shapes[0] == (32, 24, 24) and found.shapes[-1] == (192, 6, 6)
    assert len(found.starts) == len(found.shapes) + 1


@pytest.mark.parametrize(
    ("network", "block", "shape"),
    [
        ("resnet50", "layer1.0", (256, 56, 56)),
        ("vgg16", "features.9", (128, 56, 56)),
        ("vgg16", "features.4", (64, 112, 112)),
    ],
)
def test_exits_of_any_network_read_the_map_after_a_block(network: str, block: str, shape: tuple[int, int, int]) -> None:
    found = builtin_network(network)
    positions = block_positions(found, operation_table(found.operations), 1)
    assert positions.shapes[positions.blocks.index(block)] == shape


def test_a_network_without_a_place_for_an_exit_is_refused_with_what_would_do() -> None:
    network = builtin_network("resnet50")
    with pytest.raises(ProblemError, match="ends after the last one") as error:
        block_positions(network, operation_table(network.operations), 900)
    assert error.value.field == "params.first_exit"
    assert [each[1:] for each in error.value.remedies] == [("params.first_exit", 1)]


def test_the_work_of_an_exit_is_its_convolution_classifier_and_confidence() -> None:
    table = exit_table((112, 12, 12), 100)
    assert table.macs.sum() == 10 * 10 * EXIT_CHANNELS * 112 * 9 + EXIT_CHANNELS * 101


def test_a_map_that_is_smaller_than_the_kernel_has_a_smaller_one() -> None:
    assert exit_table((64, 1, 1), 10).macs[0] == 64 * EXIT_CHANNELS


def test_exits_stand_where_branches_have_joined() -> None:
    network = builtin_network("googlenet")
    found = block_positions(network, operation_table(network.operations), 1)
    # The stem of five, nine modules with two poolings between them, and the last pooling.
    assert found.blocks[:6] == ("conv1", "maxpool1", "conv2", "conv3", "maxpool2", "inception3a")
    assert not any("branch" in block for block in found.blocks) and len(found.blocks) == 17
    # Skips of a U-Net pass by every block between the first and the last concatenation.
    assert joined_ends(builtin_network("unet-512").operations) >= {1, 2, 3, 4, 5, 60, 67}
    assert 34 not in joined_ends(builtin_network("unet-512").operations)


def test_no_exit_stands_before_another_branch_of_the_input() -> None:
    # Three embeddings read the tokens; the last of them is operation 3, and the addition behind it joins all.
    ends = joined_ends(builtin_network("bert-base-128").operations)
    assert min(ends) == 5
    # The dense stack and every table read the input; `join` reads all of them.
    network = builtin_network("dlrm-rm2")
    (join,) = (operation.index for operation in network.operations if operation.name == "join")
    assert min(joined_ends(network.operations)) == join + 1
