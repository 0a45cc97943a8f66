from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.methods.sbrs.cnn import Cnn, CnnLayer, chain
from engines.methods.sbrs.equality import ADAPTABLE, layer_classes
from engines.methods.sbrs.supergraph import derive
from tests.engines.methods.sbrs.cases import example

ALL = ("I", "O", "par")


def random_layer(draw: st.DrawFn, number: int) -> CnnLayer:
    operator = draw(st.sampled_from(("conv", "pool", "add")))
    identity = f"{draw(st.integers(0, 2))}" if operator == "conv" else ""
    size = draw(st.sampled_from((4, 8)))
    shapes = ((size,),) if identity else ()
    return CnnLayer(
        f"l{number}", operator, (("kernel", "3"),), identity + str(size) if identity else "", shapes, 5, size
    )


@st.composite
def cnns(draw: st.DrawFn) -> tuple[Cnn, ...]:
    """Networks with residual connections."""
    found = []
    for number in range(draw(st.integers(1, 4))):
        count = draw(st.integers(1, 9))
        layers = tuple(random_layer(draw, place) for place in range(count))
        pairs = [(a, b) for b in range(count) for a in range(b - 1)]
        more = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=4)) if pairs else []
        edges = sorted({*chain(count), *more}, key=lambda edge: (edge[1], edge[0]))
        found.append(Cnn(f"n{number}", layers, tuple(edges)))
    return tuple(found)


adaptive_sets = st.sets(st.sampled_from(ADAPTABLE))


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


def test_without_adaptive_attributes_only_fully_equal_layers_are_reused() -> None:
    graph = derive(example(), ())
    # l1 leads to l2 in both, but l2 leads to different layers, and l4, l5 are reached by different ones.
    assert not any(layer.reused for layer in graph.layers)
    first = example()[0]
    twice = derive((first, Cnn("copy", first.layers, first.edges)), ())
    assert len(twice.layers) == 5 and twice.memory_bytes(4) == first.memory_bytes(4)


def test_shapes_instead_of_values_share_one_set_of_parameters() -> None:
    first, second = example()
    own = derive((first, second), ("I", "O"))
    shaped = derive((first, second), ("I", "O"), "shapes")
    assert len(own.layers) == 7 and len(shaped.layers) == 6
    assert shaped.memory_bytes(4) < own.memory_bytes(4)


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
def test_every_layer_and_edge_is_captured_by_one_that_equals_it(networks: tuple[Cnn, ...], adaptive: set[str]) -> None:
    graph = derive(networks, adaptive)
    for scenario, cnn in enumerate(networks):
        for number, layer in enumerate(cnn.layers):
            found = graph.layers[graph.layer_of[scenario][number]]
            assert (scenario, number) in found.captured
            assert (found.operator, found.hyperparameters) == (layer.operator, layer.hyperparameters)
            assert not layer.parameters or layer.parameters in dict(found.parameter_sets)
        for number, (source, target) in enumerate(cnn.edges):
            edge = graph.edges[graph.edge_of[scenario][number]]
            assert edge.source == graph.layer_of[scenario][source] and edge.target == graph.layer_of[scenario][target]
            assert edge.elements >= cnn.layers[source].output_elements


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
