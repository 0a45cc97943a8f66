from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from engines.methods.sbrs.application import Application, parameters_of
from engines.methods.sbrs.equality import ADAPTABLE
from engines.methods.sbrs.search.genotype import SMALL, Genotype
from engines.methods.sbrs.supergraph import derive
from engines.methods.sbrs.torch_network import build, initial_weights
from engines.methods.sbrs.transition import analyse_switch, schedule

torch = pytest.importorskip("torch")
NETWORKS = 3
CLOSE = {"rtol": 0, "atol": 1e-6}


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def networks():
    genotype, random = Genotype(SMALL, (1, 8, 8), 10), np.random.default_rng(5)
    graphs = [genotype.graph(genotype.draw(random), f"n{number}") for number in range(NETWORKS)]
    return graphs, [initial_weights(graph, random) for graph in graphs]


def application(networks, adaptive) -> Application:
    graphs, weights = networks
    sets = {}
    for graph, own in zip(graphs, weights, strict=True):
        sets |= parameters_of(graph, own)
    return Application(derive([graph.cnn() for graph in graphs], adaptive), sets)


def inputs(count: int) -> list:
    random = np.random.default_rng(1)
    return [torch.from_numpy(random.random((2, 1, 8, 8)).astype(np.float32)) for _ in range(count)]


def separate(networks, number: int, features):
    graphs, weights = networks
    with torch.no_grad():
        return build(graphs[number], weights[number]).eval()(features)


@pytest.mark.parametrize("adaptive", [(), ("I", "O"), ADAPTABLE])
def test_scenarios_give_what_the_separate_networks_give(networks, adaptive) -> None:
    shared = application(networks, adaptive)
    with torch.no_grad():
        for features in inputs(2):
            for number in range(NETWORKS):
                torch.testing.assert_close(shared.run(number, features), separate(networks, number, features), **CLOSE)


@pytest.mark.parametrize("protocol", ["printed", "safe"])
def test_a_switch_under_the_protocol_loses_nothing(networks, protocol) -> None:
    shared = application(networks, ADAPTABLE)
    for old, new in permutations(range(NETWORKS), 2):
        lasting = [[1.0] * len(shared.supergraph.sequences[number]) for number in (old, new)]
        switch = schedule(*lasting, analyse_switch(shared.supergraph, old, new, protocol))
        features = inputs(3 + max(step.round for step in switch.steps))
        with torch.no_grad():
            found = shared.switch(switch, old, new, features)
        torch.testing.assert_close(found[0], separate(networks, old, features[0]), **CLOSE)
        assert len(found) >= 2
        for place, output in enumerate(found[1:], start=1):
            torch.testing.assert_close(output, separate(networks, new, features[place]), **CLOSE)


def test_parameters_are_stored_once(networks) -> None:
    graphs, _ = networks
    shared = application(networks, ADAPTABLE)
    assert shared.parameter_elements == shared.supergraph.parameter_elements
    assert shared.parameter_elements == sum(graph.parameter_elements for graph in graphs)
    one = graphs[0].cnn("a")
    same = derive([one, replace(one, name="twin")], ())
    assert same.parameter_elements == graphs[0].parameter_elements
