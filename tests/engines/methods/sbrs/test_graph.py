from engines.methods.sbrs.graph import Graph, Node, operator_name
from engines.workloads.loader import load_network

GRAPH = Graph("two", (
    Node("in", "input", (), (3, 8, 8)),
    Node("conv", "conv", (0,), (4, 8, 8), (3, 3), True, (4, 3, 3, 3)),
    Node("pool", "global_avg_pool", (1,), (4, 1, 1)),
    Node("fc", "fc", (2,), (10, 1, 1), weight_shape=(10, 4)),
))  # fmt: skip


def test_a_bias_goes_with_the_weights() -> None:
    assert [node.parameter_elements for node in GRAPH.nodes] == [0, 4 * 27 + 4, 0, 40 + 10]
    assert GRAPH.parameter_elements == 162 and operator_name(GRAPH.nodes[1]) == "conv+activation"


def test_it_becomes_a_scenario_and_a_document() -> None:
    cnn = GRAPH.cnn("trained")
    assert [layer.operator for layer in cnn.layers] == ["input", "conv+activation", "global_avg_pool", "fc"]
    assert cnn.edges == ((0, 1), (1, 2), (2, 3))
    network = load_network(GRAPH.document())
    assert [each.name for each in network.operations] == ["conv", "conv:act", "pool", "fc"]
