"""RegNet's design space, and the shortcuts of residual networks."""

from __future__ import annotations

import pytest

from engines.workloads.families.residual import RegNetSpace
from engines.workloads.layer_table import layer_edges
from engines.workloads.loader import builtin_network


def test_stages_follow_from_the_quantised_widths() -> None:
    # Radosavovic et al. 2020, appendix: RegNetX-400MF has widths 32, 64, 160, 384 and depths 1, 2, 7, 12, groups of 16;
    # torchvision starts at another width (400 MF there is 32, 64, 160, 400).
    assert RegNetSpace(22, 24, 24.48, 2.54, 16).stages() == [(32, 1, 16), (64, 2, 16), (160, 7, 16), (400, 12, 16)]


def test_widths_are_multiples_of_the_group_width_and_groups_not_wider_than_a_stage() -> None:
    for width, _, group in RegNetSpace(27, 456, 160.83, 2.52, 264).stages():
        assert width % group == 0
    assert RegNetSpace(10, 64, 10.0, 2.0, 512).stages()[0][2] == RegNetSpace(10, 64, 10.0, 2.0, 512).stages()[0][0]


def test_shortcuts_are_read_by_the_sum_and_by_their_convolution() -> None:
    network = builtin_network("resnet18")
    numbers = {operation.name: number for number, operation in enumerate(network.operations)}
    first, second = network.operations[numbers["layer1.0.add"]], network.operations[numbers["layer2.0.add"]]
    assert first.reads == (numbers["maxpool"], numbers["layer1.0.conv2:norm"])
    assert second.reads == (numbers["layer2.0.conv2:norm"], numbers["layer2.0.downsample:norm"])
    assert network.operations[numbers["layer2.0.downsample"]].reads == (numbers["layer1.1.act"],)
    edges = layer_edges(network)
    assert (0, 2) in edges and len(edges) == 20 + 8  # a chain, and the shortcut of each of eight blocks


@pytest.mark.parametrize("slug", ["resnet18", "resnet101", "regnet-y-400mf", "efficientnet-b0", "mobilenet-v3-small"])
def test_every_sum_reads_two_results(slug: str) -> None:
    sums = [
        operation for operation in builtin_network(slug).operations if operation.name.endswith((".add", ".se.scale"))
    ]
    assert sums and all(len(operation.reads or ()) == 2 for operation in sums)
