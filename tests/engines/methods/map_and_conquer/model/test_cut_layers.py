"""How networks are grouped into layers, and what a part of one works on."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.cost.soc.operations import operation_table
from engines.documents.builtin import get_builtin
from engines.methods.map_and_conquer.model.cut_layers import CutNetwork, cut_network
from engines.workloads.loader import load_network


def cut(slug: str) -> CutNetwork:
    network = load_network(get_builtin("workload", slug).content)
    return cut_network(network.operations, operation_table(network.operations))


def test_vgg19_has_all_its_layers_but_the_classifier() -> None:
    network = cut("vgg19")
    assert network.layers == 18 and network.names[-1] == "classifier.6"
    assert network.widths[0] == 64 and network.widths[-1] == 4096


def test_attention_is_cut_by_heads() -> None:
    network = cut("visformer-small")
    assert network.layers == 50
    assert {6} == {width for name, width in zip(network.names, network.widths, strict=False) if name.endswith("qkv")}


def test_depthwise_convolutions_go_with_the_layer_before() -> None:
    network = cut("mobilenet-v2")
    assert not any(network.operations.kinds[start] == "depthwise" for start in network.starts)


def test_parts_do_their_share_of_the_work() -> None:
    network = cut("vgg19")
    whole, half = network.operations, network.scaled(0.5, 0.25)
    conv, pool, last = 2, 4, len(whole) - 1
    assert half.macs[conv] == whole.macs[conv] / 8
    assert half.weight_elements[conv] == whole.weight_elements[conv] / 8
    assert half.output_elements[conv] == whole.output_elements[conv] / 2
    assert half.activation_elements[conv] == whole.output_elements[conv] * 0.75  # reads a quarter, writes half
    assert half.activation_elements[pool] == whole.activation_elements[pool] / 2
    assert half.output_elements[last] == whole.output_elements[last]  # the exit writes every class
    assert half.macs[last] == whole.macs[last] / 4
    assert (network.scaled(1.0, 1.0).activation_elements == whole.activation_elements).all()


def test_a_network_of_one_layer_cannot_be_cut() -> None:
    network = load_network(get_builtin("workload", "vgg19").content)
    with pytest.raises(ProblemError, match="1 layer that can be cut"):
        cut_network(network.operations[:4], operation_table(network.operations[:2] + network.operations[3:5]))
