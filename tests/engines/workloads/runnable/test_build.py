"""Networks of the zoo as ONNX files: they are checked, run by onnxruntime, and read back with the MACs of their documents."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import onnx
import pytest

from engines.contract.errors import ProblemError
from engines.workloads.loader import builtin_network, load_network
from engines.workloads.network import COMPUTE_KINDS
from engines.workloads.runnable.build import read_runnable, runnable_network
from engines.workloads.runnable.graph import PART

NETWORKS = [
    "mobilenet-v3-small",
    "squeezenet1-1",
    "shufflenet-v2-x0-5",
    "densenet121",
    "swin-t",
    "bert-base-128",
    "vit-b-32",
    "segformer-b0",
    "whisper-tiny-decoder",
]


@pytest.mark.parametrize("slug", NETWORKS)
def test_every_operation_that_computes_has_its_node(slug: str) -> None:
    network = builtin_network(slug)
    model = onnx.load_from_string(runnable_network(network).onnx)
    nodes = {node.name: node.op_type for node in model.graph.node}
    for operation in network.operations:
        if operation.kind in COMPUTE_KINDS:
            assert nodes[operation.name] in ("Conv", "Gemm", "MatMul"), operation.name
    names = {operation.name for operation in network.operations}
    # A name may come twice in a table; the second gets a number.
    assert {name.partition(PART)[0].partition("#")[0] for name in nodes} <= names


@pytest.mark.parametrize("slug", NETWORKS)
def test_its_weights_are_those_of_the_document(slug: str) -> None:
    network = builtin_network(slug)
    found = runnable_network(network)
    wanted = sum(each.weight_elements for each in network.operations if each.kind not in ("batchnorm", "norm"))
    assert sum(each.elements for each in found.weights) == pytest.approx(wanted, rel=0.01)
    ends = [each.offset + 4 * each.elements for each in found.weights]
    assert all(end <= after.offset for end, after in zip(ends, found.weights[1:], strict=False))
    assert ends[-1] <= found.weights_bytes


@pytest.mark.parametrize("slug", ["mobilenet-v3-small", "activity-cnn-128", "digits-chain"])
def test_a_runtime_runs_it(slug: str, tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    found = runnable_network(builtin_network(slug))
    (tmp_path / "network.onnx").write_bytes(found.onnx)
    weights = np.zeros(found.weights_bytes // 4, np.float32)
    generator = np.random.default_rng(1)
    for each in found.weights:
        drawn = generator.standard_normal(each.elements) * each.deviation
        weights[each.offset // 4 : each.offset // 4 + each.elements] = drawn
    weights.tofile(tmp_path / "weights.bin")
    session = onnxruntime.InferenceSession(str(tmp_path / "network.onnx"), providers=["CPUExecutionProvider"])
    inputs = {each.name: generator.standard_normal(each.shape).astype(np.float32) for each in session.get_inputs()}
    outputs = session.run(None, inputs)
    assert len(inputs) == 1 and all(np.isfinite(each).all() and np.abs(each).max() > 0 for each in outputs)


def test_equal_networks_are_equal_files() -> None:
    network = builtin_network("squeezenet1-1")
    assert runnable_network(network) == runnable_network(network)


def test_what_has_no_node_is_refused_by_name() -> None:
    with pytest.raises(ProblemError, match="swin-v2-t with gather"):
        runnable_network(builtin_network("swin-v2-t"))


def test_the_reader_gives_the_file_as_text() -> None:
    operations = [
        {"name": "stem", "kind": "conv", "k": 8, "c": 3, "r": 3, "s": 3, "y": 16, "x": 16, "pad": 1},
        {"name": "relu", "kind": "activation"},
        {"name": "head", "kind": "gemm", "k": 10, "c": 2048},
    ]
    content = {"schema": "network/1", "slug": "tiny", "title": "Tiny", "short_title": "Tiny", "source": "test"}
    document = {**content, "operations": operations}
    found = read_runnable(b"", "tiny", {"network": document}).content
    assert base64.b64decode(found["onnx"]) == runnable_network(load_network(document)).onnx
    assert found["weights_bytes"] >= 4 * (8 * 27 + 20_480)
