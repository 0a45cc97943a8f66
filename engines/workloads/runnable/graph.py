"""An ONNX graph while it is written: nodes, tensors with their shapes, and weights of which only size and spread are kept.

Weights stand in a file next to the ONNX file (`WEIGHTS_FILE`, ONNX's external data) that whoever runs the network draws: a network
of half a gigabyte is then a file of some hundred kilobytes. What belongs to one operation of the document is named by it:
"layer1.0.conv1" is its own node, "layer1.0.conv1//heads" moves data for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from engines.contract.errors import ProblemError
from engines.workloads.network import Operation

WEIGHTS_FILE = "weights.bin"
PART = "//"  # between the name of an operation and what one of its nodes is for
MAX_WEIGHTS_BYTES = 2_000_000_000
_OPSET, _IR_VERSION = 20, 9
_WORD_BYTES = 4
# Offsets in the file of weights; runtimes map it by pages.
_ALIGNMENT_BYTES = 4096

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Tensor:
    """The output of a node, or an input of the network.

    Attributes:
        shape: with a leading 1 for the batch: maps are `1 x channels x height x width`, tokens `1 x tokens x width`.
        maker: number of the operation that gives it out; -1 of an input.
    """

    name: str
    shape: Shape
    maker: int

    @property
    def elements(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


@dataclass(frozen=True)
class Weights:
    """One tensor of weights: `elements` normal numbers of that standard deviation, from `offset` bytes of the file on."""

    elements: int
    deviation: float
    offset: int


@dataclass(frozen=True)
class RunnableNetwork:
    """An ONNX file and what has to be drawn to run it.

    Attributes:
        onnx: the file; its weights are read from `WEIGHTS_FILE` beside it.
        weights: in the order of the file of weights.
        weights_bytes: size of that file.
        whole_numbers: input of whole numbers -> what they stay below; all other inputs are numbers.
    """

    onnx: bytes
    weights: tuple[Weights, ...]
    weights_bytes: int
    whole_numbers: Mapping[str, int]


@dataclass
class GraphWriter:
    """The graph so far.

    Attributes:
        results: output of each operation, in order.
        neighbours: numbers of the nearest candidates that were ranked last, `1 x nodes x ranked`; None before any were.
    """

    network: str
    results: list[Tensor] = field(default_factory=list)
    inputs: list[Tensor] = field(default_factory=list)
    weights: list[Weights] = field(default_factory=list)
    whole_numbers: dict[str, int] = field(default_factory=dict)
    consumed: set[str] = field(default_factory=set)
    neighbours: Tensor | None = None
    _nodes: list[NodeProto] = field(default_factory=list)
    _inputs: list[ValueInfoProto] = field(default_factory=list)
    _initializers: list[TensorProto] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)
    _offset: int = 0

    def node(
        self, operator: str, inputs: Sequence[Tensor | str], shape: Shape, operation: Operation, part: str = "", **attributes: Any
    ) -> Tensor:  # fmt: skip
        """Return a node, and the tensor of `shape` that it gives out."""
        name = self._free(f"{operation.name}{PART}{part}" if part else operation.name)
        texts = [each if isinstance(each, str) else each.name for each in inputs]
        self.consumed.update(texts)
        self._nodes.append(helper.make_node(operator, texts, [f"{name}:0"], name=name, **attributes))
        return Tensor(f"{name}:0", shape, operation.index)

    def several(
        self,
        operator: str,
        inputs: Sequence[Tensor | str],
        shapes: Sequence[Shape],
        operation: Operation,
        part: str,
        **attributes: Any,
    ) -> list[Tensor]:
        """Return a node that gives out one tensor for each of `shapes`."""
        name = self._free(f"{operation.name}{PART}{part}")
        texts = [each if isinstance(each, str) else each.name for each in inputs]
        self.consumed.update(texts)
        outputs = [f"{name}:{number}" for number in range(len(shapes))]
        self._nodes.append(helper.make_node(operator, texts, outputs, name=name, **attributes))
        return [Tensor(output, shape, operation.index) for output, shape in zip(outputs, shapes, strict=True)]

    def given(self, shape: Shape, maker: int = -1) -> Tensor:
        """Return an input of the network: numbers."""
        tensor = Tensor(self._free("input"), shape, maker)
        self.inputs.append(tensor)
        self._inputs.append(helper.make_tensor_value_info(tensor.name, TensorProto.FLOAT, shape))
        return tensor

    def given_rows(self, count: int, below: int) -> Tensor:
        """Return an input of the network: `count` numbers of rows of a table that has `below`."""
        tensor = Tensor(self._free("rows"), (1, count), -1)
        self._inputs.append(helper.make_tensor_value_info(tensor.name, TensorProto.INT64, tensor.shape))
        self.whole_numbers[tensor.name] = below
        return tensor

    def drawn(self, shape: Shape, deviation: float) -> str:
        """Return the name of weights that are drawn by whoever runs the network."""
        tensor = drawn_tensor(self._free("weights"), shape)
        self._initializers.append(tensor)
        self.weights.append(Weights(prod(shape), deviation, self._offset))
        self._offset = place_weights(tensor, self._offset)
        return str(tensor.name)

    def numbers(self, values: Any, kind: type[np.generic] = np.int64) -> str:
        """Return the name of a small constant."""
        name = self._free("constant")
        self._initializers.append(numpy_helper.from_array(np.asarray(values, dtype=kind), name))
        return name

    def reshaped(self, tensor: Tensor, shape: Shape, operation: Operation, part: str = "reshape") -> Tensor:
        """Return the same numbers in another shape; a map of features and tokens become each other by a transposition.

        Raises:
            ProblemError: the shape has another number of elements.
        """
        if tensor.shape == shape:
            return tensor
        if tensor.elements != prod(shape):
            got = f"{tensor.elements} elements for {operation.name}"
            raise ProblemError(f"operations.{operation.index}", got, f"{prod(shape)}, as its dimensions say")
        if len(tensor.shape) == 4 and len(shape) == 3 and tensor.shape[1] == shape[2]:
            flat = self._plain(tensor, (1, shape[2], shape[1]), operation, part)
            return self.node("Transpose", [flat], shape, operation, f"{part}-tokens", perm=[0, 2, 1])
        if len(tensor.shape) == 3 and len(shape) == 4 and tensor.shape[2] == shape[1]:
            turned = (1, shape[1], tensor.shape[1])
            flat = self.node("Transpose", [tensor], turned, operation, f"{part}-map", perm=[0, 2, 1])
            return self._plain(flat, shape, operation, part)
        return self._plain(tensor, shape, operation, part)

    def model(self) -> ModelProto:
        """Return the graph as a model; everything that nothing reads is an output, so that a runtime leaves nothing out."""
        made = [output for node in self._nodes for output in node.output]
        ends = [name for name in made if name not in self.consumed]
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ends]
        graph = helper.make_graph(self._nodes, self.network, self._inputs, outputs, self._initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)

    def file(self) -> RunnableNetwork:
        """Return the file of the graph.

        Raises:
            ProblemError: more weights than `MAX_WEIGHTS_BYTES`.
        """
        return runnable_file(self.model(), self.weights, self._offset, self.whole_numbers)

    def _plain(self, tensor: Tensor, shape: Shape, operation: Operation, part: str) -> Tensor:
        return self.node("Reshape", [tensor, self.numbers(shape)], shape, operation, part)

    def _free(self, name: str) -> str:
        return free_name(name, self._names)


def drawn_tensor(name: str, shape: Sequence[int]) -> TensorProto:
    """Return a weight tensor of random values; `place_weights` sets its position in the file."""
    return TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)


def place_weights(tensor: TensorProto, offset: int) -> int:
    """Let a tensor begin at that byte of the file of weights; return where the next one begins."""
    size = prod(tensor.dims) * _WORD_BYTES
    for key, value in (("location", WEIGHTS_FILE), ("offset", str(offset)), ("length", str(size))):
        tensor.external_data.add(key=key, value=value)
    pages: int = -(-size // _ALIGNMENT_BYTES)
    return offset + pages * _ALIGNMENT_BYTES


def runnable_file(
    model: ModelProto, weights: Iterable[Weights], weights_bytes: int, whole_numbers: Mapping[str, int]
) -> RunnableNetwork:
    """Return the file of a model. Arguments as the attributes of `RunnableNetwork`.

    Raises:
        ProblemError: more weights than `MAX_WEIGHTS_BYTES`.
    """
    if weights_bytes > MAX_WEIGHTS_BYTES:
        got = f"{weights_bytes / 1e9:.1f} GB of weights"
        raise ProblemError("network", got, f"at most {MAX_WEIGHTS_BYTES / 1e9:g} GB")
    return RunnableNetwork(
        model.SerializeToString(deterministic=True), tuple(weights), weights_bytes, dict(whole_numbers)
    )


def distinct_names(names: Iterable[str]) -> list[str]:
    """Return the names in their order; one that comes again gets a number ("#2")."""
    taken = set[str]()
    return [free_name(name, taken) for name in names]


def free_name(name: str, taken: set[str]) -> str:
    """Return the name, with a number appended if it is taken, and reserve it."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}#{number}"
    taken.add(found)
    return found
