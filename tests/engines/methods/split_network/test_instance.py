"""Networks of the catalogue as layers to cut."""

import numpy as np
import pytest

from engines.methods.split_network.cuts import Tensor, every_cut
from engines.methods.split_network.instance import bottleneck_operations, instance_of, token_bits
from engines.methods.split_network.params import SplitNetworkParams
from engines.workloads.loader import builtin_network
from tests.engines.methods.split_network.problems import conv, network, split_problem


def test_a_network_of_the_catalogue_becomes_layers_and_what_passes_between_them() -> None:
    graph = instance_of(split_problem()).graph
    assert graph.names == ("stem", "left.1", "left.2", "right", "add", "exit")
    assert graph.parents == ((), (0,), (1,), (0,), (2, 3), (4,))
    size = {tensor.title: (tensor.elements, tensor.channels) for tensor in graph.tensors}
    assert (
        size["Input"] == (3 * 28 * 28, 3) and size["stem"] == (16 * 28 * 28, 16) and size["left.1"] == (8 * 28 * 28, 8)
    )


def test_folded_operations_are_of_the_layer_before_and_equal_names_are_told_apart() -> None:
    act = {"name": "act", "kind": "activation", "k": 4, "c": 4, "y": 28, "x": 28}
    document = network(conv("same", 4, 3), act, conv("same", 5, 4))
    graph = instance_of(split_problem(workload=document)).graph
    assert graph.names == ("1: same", "2: same")
    assert [(each.title, each.layer, each.readers, each.channels) for each in graph.tensors[1:]] == [
        ("act", 0, (1,), 4)
    ]


@pytest.mark.parametrize("slug", ["resnet18", "inception-v3", "vgg11"])
def test_cuts_of_built_in_networks_are_closed(slug: str) -> None:
    graph = instance_of(split_problem(workload=slug)).graph
    cuts = every_cut(graph)
    assert cuts.every
    for layer, parents in enumerate(graph.parents):
        for parent in parents:
            assert (cuts.inside[:, parent] | ~cuts.inside[:, layer]).all()


def test_a_weight_counts_once_on_the_device_whichever_of_its_layers_are_there() -> None:
    """Two branches with one kernel, and a layer that adds them: the second branch alone holds the kernel too."""
    kernel = {"shared_weights": {"kernel": 4 * 4 * 9}}
    left, right = (conv(name, 4, 4, reads=[], **kernel) for name in ("left", "right"))
    add = {"name": "add", "kind": "eltwise", "k": 4, "c": 4, "y": 28, "x": 28, "reads": [0, 1]}
    memory = instance_of(split_problem(workload=network(left, right, add, conv("end", 4, 4)))).memory
    weights = [
        memory.needed_bytes(np.array([inside])).item() - (memory.activation_bytes * inside).max()
        for inside in ([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1])
    ]
    assert weights == [576, 576, 576, 1152]


@pytest.mark.parametrize(("slug", "bits"), [("bert-base-128", 15), ("gpt2-128", 16), ("resnet18", 0)])
def test_a_token_takes_the_bits_of_its_vocabulary(slug: str, bits: int) -> None:
    assert token_bits(builtin_network(slug).operations[0]) == bits
    if bits:
        tokens = instance_of(split_problem(workload=slug))
        assert tokens.costs.bits[0, 0] == 128 * bits


def test_the_convolution_of_a_bottleneck_by_hand() -> None:
    # Twelve channels on 4 x 5 places: a 1 x 1 convolution that leaves three of them.
    tensor = Tensor("wide", 0, (1,), elements=240, channels=12)
    (found,) = bottleneck_operations(tensor, SplitNetworkParams(compression=4.0))
    assert (found.c, found.k, found.oy * found.ox) == (12, 3, 20)
    assert (found.macs, found.weight_elements) == (20 * 12 * 3, 12 * 3)
    assert (found.input_elements, found.output_elements) == (240, 60)
