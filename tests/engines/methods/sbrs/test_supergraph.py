from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.methods.sbrs.cnn import Cnn, CnnLayer, chain
from engines.methods.sbrs.equality import ADAPTABLE, layer_classes
from engines.methods.sbrs.supergraph import derive
from tests.engines.methods.sbrs.cases import adaptive_sets, cnns, example

ALL = ("I", "O", "par")


def test_the_example_has_the_layers_and_edges_of_table_1() -> None:
    graph = derive(example(), ALL)
    by_layer = {layer.captured: layer for layer in graph.layers}
    assert set(by_layer) == {
        ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 2),), ((0, 2), (1, 3)), ((0, 3), (1, 4)), ((0, 4), (1, 5)),
    }  # fmt: skip
    ends = {edge.captured: edge for edge in graph.edges}
    assert set(ends) == {((0, 0), (1, 0)), ((0, 1),), ((1, 1),), ((1, 2),), ((0, 2), (1, 3)), ((0, 3), (1, 4))}
    assert all(edge.copy == 0 for edge in graph.edges)


def test_the_example_has_the_control_parameters_of_table_1() -> None:
    graph = derive(example(), ALL)
    controls = {layer.captured[0]: dict(layer.controls) for layer in graph.layers}
    assert set(controls[(0, 1)]) == {"O"}  # p1 of l2
    assert set(controls[(0, 2)]) == {"par", "I"}  # p2 and p3 of l4
    assert not any(controls[key] for key in ((0, 0), (1, 2), (0, 3), (0, 4)))
    names = {name for layer in graph.layers for _, name in layer.controls}
    assert len(names) == 3
    values = [dict(step.values) for step in graph.sequences[0]]
    fourth = values[2][controls[(0, 2)]["par"]]
    assert fourth == "W3 of CNN1"
    assert [bool(row) for row in values] == [False, True, True, False, False]


def test_memory_counts_shared_sets_once_and_buffers_by_their_largest_use() -> None:
    graph = derive(example(), ALL)
    sets = 5 * 100  # W2, W3 of CNN1, W4 of CNN2, W3 of CNN2, W4
    buffers = 3072 + 1000 + 1000 + 900 + 800 + 50
    assert graph.memory_bytes(4) == 4 * (sets + buffers)
    assert graph.naive_memory_bytes(4) == 4 * (
        3 * 100 + 4 * 100 + 3072 + 1000 + 800 + 50 + 3072 + 1000 + 900 + 800 + 50
    )


def test_a_buffer_that_is_still_needed_gets_a_duplicate() -> None:
    layer = CnnLayer("a", "relu", (), "", (), 0, 8)
    graph = derive((Cnn("n", (layer, layer, layer), chain(3)),), ALL)
    assert len(graph.layers) == 1
    assert [(edge.source, edge.target, edge.copy) for edge in graph.edges] == [(0, 0, 0), (0, 0, 1)]


def test_it_refuses_what_makes_no_sense() -> None:
    first = example()[0]
    with pytest.raises(ValueError, match="at least one scenario"):
        derive((), ALL)
    with pytest.raises(ValueError, match="different names"):
        derive((first, first), ALL)
    with pytest.raises(ValueError, match="out of"):
        layer_classes((first,), ("op",))


@given(cnns(), adaptive_sets)
def test_no_buffer_is_written_while_its_own_network_still_needs_it(
    networks: tuple[Cnn, ...], adaptive: set[str]
) -> None:
    graph = derive(networks, adaptive)
    for scenario, cnn in enumerate(networks):
        lives: dict[int, list[tuple[int, int]]] = {}
        for number, ends in enumerate(cnn.edges):
            lives.setdefault(graph.edge_of[scenario][number], []).append(ends)
        for ends in lives.values():
            ordered = sorted(ends)
            assert all(before[1] < after[0] for before, after in pairwise(ordered))


@given(cnns(), adaptive_sets, st.sampled_from(ADAPTABLE))
def test_more_adaptive_attributes_merge_more_layers_and_the_memory_is_never_above_naive(
    networks: tuple[Cnn, ...], adaptive: set[str], more: str
) -> None:
    graph, larger = derive(networks, adaptive), derive(networks, adaptive | {more})
    assert len(larger.layers) <= len(graph.layers)
    assert graph.memory_bytes(1) <= graph.naive_memory_bytes(1)
