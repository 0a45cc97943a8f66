import numpy as np
import pytest

from engines.methods.sbrs.search.genotype import SMALL, Genotype
from engines.methods.sbrs.torch_network import initial_weights
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from engines.workloads.loader import load_network

torch = pytest.importorskip("torch")


NETWORKS = 3


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


@pytest.mark.long
def test_the_onnx_file_of_a_scenario_has_the_same_work(networks) -> None:
    pytest.importorskip("onnxscript")
    from engines.methods.sbrs.export import to_onnx

    graphs, weights = networks
    for graph, own in zip(graphs[:1], weights, strict=False):
        read = read_onnx(to_onnx(graph, own), "scenario.onnx", {})
        assert load_network(read.content).macs == load_network(graph.document()).macs


@pytest.mark.long
def test_the_onnx_file_of_signals_takes_them_as_they_are_recorded() -> None:
    pytest.importorskip("onnxscript")
    import onnxruntime

    from engines.data.scaling import Scaling
    from engines.methods.sbrs.export import to_onnx
    from engines.methods.sbrs.torch_network import build

    genotype, random = Genotype(SMALL, (2, 16, 1), 3), np.random.default_rng(5)
    graph = genotype.graph(genotype.draw(random), "n")
    weights = initial_weights(graph, random)
    features = random.standard_normal((1, 2, 16, 1)).astype(np.float32)
    scaling = Scaling(np.array([101325.0, 0.0]), np.array([5.0, 2.0]))
    recorded = np.float32(features * scaling.deviation[:, None, None] + scaling.mean[:, None, None])
    session = onnxruntime.InferenceSession(to_onnx(graph, weights, scaling), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        expected = build(graph, weights).eval()(torch.from_numpy(features)).numpy()
    assert session.run(None, {"features": recorded})[0] == pytest.approx(expected, abs=0.01)
