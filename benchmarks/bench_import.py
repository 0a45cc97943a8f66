"""Reading ONNX files: two in the limited child, and one of 2,000 operators beside ONNX's own checker and inference."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from benchmarks.report import Figure, show
from engines.contract.encoding.document_text import ReadDocument
from engines.running.runner.file_reader import NETWORK_LIMITS, read_in_child
from engines.workloads.importing.onnx.onnx_reader import read_onnx

LIMIT_S = 10.0
LIMIT_MB = 1000.0
LIMIT_RATIO = 1.0
REPEATS = 5
# Residual stages of ResNet-152 (arXiv 1512.03385, table 1): blocks, inner channels.
_STAGES = ((3, 64), (8, 128), (36, 256), (3, 512))
_BLOCKS = 60
_BLOCKS_BESIDE_ONNX = 72  # 2,016 operators
_WIDTH = 256


class _Graph:
    """Nodes and weights as they are added."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def add(self, operator: str, *inputs: str, weights: tuple[tuple[int, ...], ...] = (), **attributes: object) -> str:
        """Return one operator with weights of these shapes; the name of its output."""
        name = f"{operator}_{len(self.nodes)}"
        names = [f"{name}.w{index}" for index in range(len(weights))]
        for each, shape in zip(names, weights, strict=True):
            self.weights.append(numpy_helper.from_array(np.zeros(shape, np.float16), each))
        self.nodes.append(helper.make_node(operator, [*inputs, *names], [name], name, **attributes))
        return name

    def file(self, output: str, shape: list[int | str]) -> bytes:
        """Return the file, with one input of this shape."""
        given = [helper.make_tensor_value_info("input", TensorProto.FLOAT16, shape)]
        result = [helper.make_tensor_value_info(output, TensorProto.FLOAT16, [None] * len(shape))]
        graph = helper.make_graph(self.nodes, "network", given, result, self.weights)
        return bytes(
            helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10).SerializeToString()
        )


def resnet_152() -> bytes:
    """Return the ResNet-152 with half-precision weights: 121 MB."""
    graph = _Graph()

    def convolution(x: str, k: int, c: int, kernel: int, stride: int = 1, active: bool = True) -> str:
        pads = [kernel // 2] * 4
        x = graph.add("Conv", x, weights=((k, c, kernel, kernel),), strides=[stride, stride], pads=pads)
        x = graph.add("BatchNormalization", x, weights=((k,), (k,), (k,), (k,)))
        return graph.add("Relu", x) if active else x

    x = convolution("input", 64, 3, 7, 2)
    x, channels = graph.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]), 64
    for stage, (blocks, inner) in enumerate(_STAGES):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            branch = convolution(convolution(x, inner, channels, 1), inner, inner, 3, stride)
            branch = convolution(branch, 4 * inner, inner, 1, active=False)
            shortcut = x if block else convolution(x, 4 * inner, channels, 1, stride, active=False)
            x, channels = graph.add("Relu", graph.add("Add", branch, shortcut)), 4 * inner
    x = graph.add("Flatten", graph.add("GlobalAveragePool", x))
    return graph.file(graph.add("Gemm", x, weights=((1000, 2048), (1000,)), transB=1), ["batch", 3, 224, 224])


def transformer(blocks: int = _BLOCKS) -> bytes:
    """Return the encoder blocks of 28 operators each, heads written out: of sixty 1,680 operators, 95 MB."""
    graph, x = _Graph(), "input"
    shape = numpy_helper.from_array(np.array([0, -1, 8, _WIDTH // 8], np.int64), "heads")
    whole = numpy_helper.from_array(np.array([0, -1, _WIDTH], np.int64), "whole")
    graph.weights += [shape, whole]

    def linear(x: str, inputs: int, outputs: int) -> str:
        return graph.add("Add", graph.add("MatMul", x, weights=((inputs, outputs),)), weights=((outputs,),))

    def heads(x: str, order: list[int]) -> str:
        return graph.add("Transpose", graph.add("Reshape", linear(x, _WIDTH, _WIDTH), "heads"), perm=order)

    for _ in range(blocks):
        y = graph.add("LayerNormalization", x, weights=((_WIDTH,), (_WIDTH,)))
        query, key, value = heads(y, [0, 2, 1, 3]), heads(y, [0, 2, 3, 1]), heads(y, [0, 2, 1, 3])
        scores = graph.add("Softmax", graph.add("MatMul", query, key))
        mixed = graph.add(
            "Reshape", graph.add("Transpose", graph.add("MatMul", scores, value), perm=[0, 2, 1, 3]), "whole"
        )
        x = graph.add("Add", x, linear(mixed, _WIDTH, _WIDTH))
        y = graph.add("LayerNormalization", x, weights=((_WIDTH,), (_WIDTH,)))
        x = graph.add("Add", x, linear(graph.add("Relu", linear(y, _WIDTH, 4 * _WIDTH)), 4 * _WIDTH, _WIDTH))
    return graph.file(x, [1, "length", _WIDTH])


def measured(make: Callable[[], bytes], dims: dict[str, int]) -> tuple[int, int, int, float, float]:
    """Return bytes, operators and GMAC of a file; seconds to read it; the child's own peak of resident memory in MB.

    Run in a process of its own: the peak is that of the largest child that the process ever had.
    """
    data = make()
    begin = time.perf_counter()
    read: ReadDocument = read_in_child("onnx", data, "network.onnx", {"dims": dims}, NETWORK_LIMITS)
    seconds = time.perf_counter() - begin
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return len(data), read.report["nodes"], read.report["macs"], seconds, peak_mb


def beside_onnx() -> Figure:
    """Return the processor time of reading a file, over that of ONNX's checker and shape inference on the same file.

    The least of several.
    """
    data = transformer(_BLOCKS_BESIDE_ONNX)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(REPEATS):
        begin = time.process_time()
        nodes = read_onnx(data, "network.onnx", {"dims": {"length": 128}}).report["nodes"]
        ours.append(time.process_time() - begin)
        begin = time.process_time()
        model = onnx.ModelProto.FromString(data)
        onnx.checker.check_model(model)
        onnx.shape_inference.infer_shapes(model)
        theirs.append(time.process_time() - begin)
    name = f"transformer of {nodes:,} operators: read, beside ONNX's checker and inference"
    return Figure(name, min(ours) / min(theirs), "times", LIMIT_RATIO)


def imports() -> Iterator[Figure]:
    """Yield the time and memory of both files, and the ratio."""
    for name, make, dims in (("ResNet-152", resnet_152, {"batch": 1}), ("transformer", transformer, {"length": 128})):
        with get_context("spawn").Pool(1) as pool:
            size, nodes, macs, seconds, peak_mb = pool.apply(measured, (make, dims))
        facts = f"{name}, {size / 1e6:.0f} MB, {nodes:,} operators, {macs / 1e9:.2f} GMAC"
        yield Figure(f"{facts}: read", seconds, "s", LIMIT_S)
        yield Figure(f"{name}: peak memory of the child", peak_mb, "MB", LIMIT_MB)
    yield beside_onnx()


if __name__ == "__main__":
    sys.exit(show(list(imports())))
