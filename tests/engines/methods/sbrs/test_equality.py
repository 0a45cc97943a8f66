from __future__ import annotations

from hypothesis import given

from engines.methods.sbrs.cnn import Cnn
from engines.methods.sbrs.supergraph import derive
from tests.engines.methods.sbrs.cases import adaptive_sets, cnns, example


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
