"""Cuts against all subsets of layers."""

from itertools import product

import numpy as np
import pytest

from engines.cost.soc.operations import operation_table
from engines.cost.soc_networks import layer_starts
from engines.methods.split_network.cuts import CutGraph, Tensor, every_cut, layer_graph
from engines.workloads.loader import builtin_network
from engines.workloads.network import INPUT

# 0 -> 1 -> 2 -> 5, 0 -> 3 -> 5, 4 reads the input by itself -> 5
DIAMOND = CutGraph(
    tuple("abcdef"),
    (
        Tensor("Input", INPUT, (0, 4), 10, 1),
        Tensor("a", 0, (1, 3), 4, 1),
        Tensor("b", 1, (2,), 5, 1),
        Tensor("c", 2, (5,), 6, 1),
        Tensor("d", 3, (5,), 7, 1),
        Tensor("e", 4, (5,), 8, 1),
    ),
)


def test_every_closed_set_is_found_and_no_other() -> None:
    wanted = {
        inside
        for inside in product((False, True), repeat=6)
        if all(not inside[layer] or all(inside[each] for each in DIAMOND.parents[layer]) for layer in range(6))
    }
    cuts = every_cut(DIAMOND)
    found = [tuple(row) for row in cuts.inside.tolist()]
    assert cuts.every and set(found) == wanted and len(found) == len(wanted)
    assert not any(found[0]) and all(found[-1])


def test_what_is_read_outside_is_sent_once() -> None:
    inside = np.array([[True, True, False, False, False, False], [False] * 6, [True] * 6, [True] * 5 + [False]])
    sent = [[DIAMOND.tensors[t].title for t in np.flatnonzero(row)] for row in DIAMOND.crossing(inside)]
    assert sent == [["Input", "a", "b"], ["Input"], [], ["c", "d", "e"]]


def test_the_last_layers_tell_the_set() -> None:
    for inside in every_cut(DIAMOND).inside:
        assert (DIAMOND.closed(DIAMOND.last(inside)) == inside).all()


def test_too_many_cuts_leave_those_in_the_order_of_the_network() -> None:
    cuts = every_cut(DIAMOND, most=5)
    assert not cuts.every and len(cuts.inside) == 7
    assert cuts.inside.sum(axis=1).tolist() == [0, 1, 2, 3, 4, 5, 6]
    for inside in cuts.inside:
        assert (DIAMOND.closed(np.flatnonzero(inside).tolist()) == inside).all()


def test_a_thousand_layers_side_by_side_are_given_up_at_once() -> None:
    inputs = Tensor("Input", INPUT, tuple(range(1000)), 1, 1)
    cuts = every_cut(CutGraph(tuple(map(str, range(1000))), (inputs,)))
    assert not cuts.every and len(cuts.inside) == 1001


@pytest.mark.parametrize(
    ("slug", "last", "elements", "together"),
    [
        # The module's input for the branch of the pooling, two finished branches, the open one: 28 x 28 places each.
        ("googlenet", "inception3a.branch3.0.conv", (192 * 784, 64 * 784, 128 * 784, 16 * 784), 313_600),
        # The shortcut's input, which is still to be halved, and what the second convolution gives out.
        ("resnet50", "layer3.0.conv2", (512 * 28 * 28, 256 * 14 * 14), 451_584),
        # All that the block has so far, and the 32 channels that its first layer adds.
        ("densenet121", "block2.layer1.conv2", (128 * 28 * 28, 32 * 28 * 28), 125_440),
        # The network's input, which is added to the attention, and the attention.
        ("emformer-128", "0.o", (128 * 512, 128 * 512), 131_072),
    ],
)
def test_every_tensor_crosses_a_cut_within_a_module(
    slug: str, last: str, elements: tuple[int, ...], together: int
) -> None:
    operations = builtin_network(slug).operations
    table = operation_table(operations)
    graph = layer_graph(operations, table.output_elements.tolist(), layer_starts(table))
    inside = np.arange(len(graph.names)) <= graph.names.index(last)
    crossing = [graph.tensors[row].elements for row in np.flatnonzero(graph.crossing(inside[None])[0])]
    assert sorted(crossing) == sorted(elements) and sum(crossing) == together
