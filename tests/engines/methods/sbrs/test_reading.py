from engines.cost.soc_networks import fused_table, layer_starts
from engines.methods.sbrs.cnn import Cnn
from engines.methods.sbrs.reading import read_cnn
from engines.workloads.builtins import builtin_networks
from engines.workloads.loader import load_network
from tests.engines.methods.sbrs.problems import network


def cnn_of(content: dict) -> Cnn:
    loaded = load_network(content)
    return read_cnn(loaded, layer_starts(fused_table(loaded)))


def test_activations_belong_to_the_layer_before_and_the_input_is_a_layer() -> None:
    cnn = cnn_of(network("n", 8, 2))
    assert [layer.operator for layer in cnn.layers] == ["input", "conv+activation", "conv+activation", "pool", "gemm"]
    assert cnn.edges == ((0, 1), (1, 2), (2, 3), (3, 4))
    assert cnn.layers[0].output_elements == 3 * 256
    assert cnn.memory_bytes(4) == 4 * (cnn.parameter_elements + 3 * 256 + 2 * 8 * 256 + 8)


def test_what_operations_read_makes_the_edges() -> None:
    row = {"kind": "conv", "k": 4, "c": 4, "r": 3, "s": 3, "y": 8, "x": 8, "pad": 1}
    size = 4 * 64
    add = {"name": "add", "kind": "eltwise", "input_elements": 2 * size, "output_elements": size, "reads": [1, 2]}
    act = {"name": "act", "kind": "activation", "input_elements": size, "output_elements": size}
    operations = [{"name": "a", **row}, act, {"name": "b", **row}, add]
    content = network("n", 8, 1) | {"operations": operations}
    assert cnn_of(content).edges == ((0, 1), (1, 2), (1, 3), (2, 3))
    content["operations"][-1]["reads"] = [-1, 2]  # the input of the network is kept for the addition
    assert set(cnn_of(content).edges) == {(0, 1), (1, 2), (0, 3), (2, 3)}


def test_a_network_that_adds_without_saying_what_counts_as_a_chain() -> None:
    size = 8 * 256
    add = {"name": "add", "kind": "eltwise", "input_elements": 2 * size, "output_elements": size}
    content = network("n", 8, 2)
    adding = content | {"operations": [*content["operations"][:4], add, *content["operations"][4:]]}
    assert len(cnn_of(adding).edges) == len(cnn_of(adding).layers) - 1


def test_built_in_residual_networks_keep_what_they_add() -> None:
    cnn = cnn_of(dict(builtin_networks()["resnet18"]))
    assert len(cnn.edges) > len(cnn.layers) - 1
