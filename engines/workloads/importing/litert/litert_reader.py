"""Reads LiteRT files (`.tflite`) into networks. Runs in a child process with limits: files are not trusted.

Each operator becomes the ONNX operator that does the same work, so that both formats have one table of what computes. Images of
LiteRT are height, width, channels; their convolutions are turned to channels first.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.importing.document import ImportOptions, Vocabulary, to_document
from engines.workloads.importing.graph import ImportedGraph, Node, OperatorBits, Tensor
from engines.workloads.importing.limits import MAX_NAME
from engines.workloads.importing.litert.litert_codes import ALIKE
from engines.workloads.importing.litert.litert_file import LiteRtGraph, LiteRtOperator, LiteRtTensor, parse_litert
from engines.workloads.importing.onnx.onnx_operators import compute_rows, folded_kind

_VOCABULARY = Vocabulary(compute_rows, folded_kind)
# Numbers of element types: floating point, and those of quantised elements with their bits.
_FLOATING = {0, 1, 10, 18}
_QUANTISED = {9: 8, 3: 8, 7: 16, 17: 4, 20: 4, 19: 2, 21: 8, 22: 8}
_FP16_BITS = 16
# Operators whose result has the elements of their first input, perhaps in another order or type.
_SAME = {"DEQUANTIZE", "RESHAPE", "TRANSPOSE", "CAST", "SQUEEZE", "EXPAND_DIMS", "DENSIFY", "QUANTIZE"}
_BIASED = {"CONV_2D": 2, "DEPTHWISE_CONV_2D": 2, "FULLY_CONNECTED": 2, "TRANSPOSE_CONV": 3}
_VALID = 1  # of the enumeration `Padding`


def read_litert(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the network in a LiteRT file.

    Args:
        data: the file.
        name: its name.
        options: `name`: title of the network, the file's name by default; `exclude`: operators without a cost model that engines
            may leave out.

    Raises:
        ProblemError: what is wrong with the file or the options.
    """
    digest = hashlib.sha256(data).hexdigest()[:16]
    graph = parse_litert(data, name)
    del data  # a large file need not lie in memory twice
    if not graph.operators:
        raise ProblemError("file", name, "a LiteRT file with operators")
    if options.get("dims"):
        ways = ["Convert the network with other sizes."]
        raise ProblemError("dims", options["dims"], "empty", reason="A LiteRT file has all sizes.", remedies=ways)
    title = str(options.get("name") or "") or name.rpartition("/")[2].removesuffix(".tflite") or "network"
    read = _Walk(graph).graph()
    exclude = tuple(map(str, options.get("exclude") or ()))
    return to_document(read, _VOCABULARY, ImportOptions(title, exclude), f"{name} ({read.source}; SHA-256 {digest})")


class _Walk:
    """Turns operators into nodes, in the order of the file, which is the order in which LiteRT runs them."""

    def __init__(self, graph: LiteRtGraph) -> None:
        self._graph = graph
        self._names = _unique([each.name or f"tensor {number}" for number, each in enumerate(graph.tensors)])
        self._tensors = [
            self._stored(number, each, number in graph.inputs) for number, each in enumerate(graph.tensors)
        ]
        self._bits = [_weight_bits(each) for each in graph.tensors]
        self._counts: Counter[str] = Counter()
        self._operator_bits: dict[str, OperatorBits] = {}

    def graph(self) -> ImportedGraph:
        """Return the network."""
        nodes = tuple(self._node(operator) for operator in self._graph.operators)
        inputs = tuple(self._tensors[number] for number in self._graph.inputs)
        source = f"LiteRT, {self._graph.description or 'converter not named'}"
        return ImportedGraph(nodes, inputs, source, tuple(self._notes()), bits=self._operator_bits)

    def _notes(self) -> Iterator[str]:
        if self._graph.graphs > 1:
            yield f"{self._graph.graphs - 1} further graphs of the file (branches, loops, signatures) are not counted."
        if any(tensor.open for tensor in self._graph.tensors):
            yield "Some sizes are open in the file; the network is read with those that it was converted with."

    def _stored(self, number: int, tensor: LiteRtTensor, is_input: bool) -> Tensor:
        constant = tensor.stored and not is_input
        weight = self._names[number] if constant and tensor.type in (_FLOATING | set(_QUANTISED)) else ""
        return Tensor(self._names[number], tensor.shape, constant, weight)

    def _node(self, operator: LiteRtOperator) -> Node:
        self._counts[operator.code] += 1
        given = [self._tensors[number] if number >= 0 else None for number in operator.inputs]
        self._settle(operator, given)
        bias = _BIASED.get(operator.code, len(given))
        if bias < len(given) and (added := given[bias]) is not None and added.constant:
            given[bias] = replace(added, weight=added.name)  # of 32 bits in a quantised network
        outputs = tuple(self._tensors[number] for number in operator.outputs)
        if outputs and not outputs[0].constant:
            self._tell_bits(operator, outputs[0].name)
        describe = _COMPUTED.get(operator.code)
        name = (outputs[0].name if outputs else f"{operator.code} {self._counts[operator.code]}")[-MAX_NAME:]
        if describe is not None:
            kind, inputs, attributes = describe(operator, given, outputs)
            return Node(
                name, kind, inputs, outputs if kind != "ConvTranspose" else _channels_first(outputs), attributes
            )
        return Node(name, ALIKE.get(operator.code, f"litert.{operator.code}"), tuple(given), outputs)

    def _settle(self, operator: LiteRtOperator, given: Sequence[Tensor | None]) -> None:
        """Note which results are the same for every sample, and which weights they are."""
        known = [each for each in given if each is not None]
        constant = bool(known) and all(each.constant for each in known)
        for number in operator.outputs if constant else ():
            same = operator.code in _SAME and given[0] is not None
            weights = any(each.weight for each in known)
            weight = given[0].weight if same and given[0] is not None else self._names[number] if weights else ""
            self._tensors[number] = replace(self._tensors[number], constant=True, weight=weight)
            if same and not self._bits[number]:
                self._bits[number] = self._bits[operator.inputs[0]]

    def _tell_bits(self, operator: LiteRtOperator, output: str) -> None:
        numbers = [number for number in operator.inputs if number >= 0]
        weights = [self._bits[number] for number in numbers if self._tensors[number].weight and self._bits[number]]
        moved = [
            _QUANTISED[self._graph.tensors[number].type] for number in numbers
            if not self._tensors[number].constant and self._graph.tensors[number].type in _QUANTISED
        ]  # fmt: skip
        if weights or moved:
            self._operator_bits[output] = OperatorBits(max(weights, default=0.0), float(max(moved, default=0)))


def _weight_bits(tensor: LiteRtTensor) -> float:
    """Return the bits of an element with its share of scale and zero point; 0 for floating point."""
    bits = float(_QUANTISED.get(tensor.type, 0)) if tensor.stored else 0.0
    shared = (_FP16_BITS + (bits if tensor.zero_points else 0.0)) / tensor.block if tensor.block and bits else 0.0
    return bits + shared


def _unique(names: Sequence[str]) -> list[str]:
    """Return the names, those that several tensors have with their number added."""
    uses = Counter(names)
    return [name if uses[name] == 1 else f"{name} #{number}" for number, name in enumerate(names)]


_Inputs = tuple[Tensor | None, ...]
_Described = tuple[str, _Inputs, dict[str, Any]]


def _at(given: Sequence[Tensor | None], number: int) -> Tensor | None:
    return given[number] if number < len(given) else None


def _turned(tensor: Tensor | None, *order: int) -> Tensor | None:
    """Return a tensor with its axes in another order; as it is where it has another number of them."""
    if tensor is None or tensor.shape is None or len(tensor.shape) != len(order):
        return tensor
    return replace(tensor, shape=tuple(tensor.shape[axis] for axis in order))


def _channels_first(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    return tuple(each for tensor in tensors if (each := _turned(tensor, 0, 3, 1, 2)) is not None)


def _channels(tensor: Tensor | None) -> int:
    """Return the channels of an image or a kernel with channels second; 0 for anything else."""
    return (
        tensor.shape[1] if tensor is not None and tensor.shape is not None and len(tensor.shape) == len("NCHW") else 0
    )


def _steps(operator: LiteRtOperator, dilation: int) -> dict[str, Any]:
    """Return strides, dilations (at this place, if any) and the rule of padding, as ONNX names them."""
    strides = [max(operator.option(slot, "int32"), 1) for slot in (2, 1)]
    dilations = [max(operator.option(slot, "int32"), 1) for slot in (dilation + 1, dilation)] if dilation else [1, 1]
    rule = "VALID" if operator.option(0, "int8") == _VALID else "SAME_UPPER"
    return {"strides": strides, "dilations": dilations, "auto_pad": rule}


def _convolution(operator: LiteRtOperator, given: Sequence[Tensor | None], _: Sequence[Tensor]) -> _Described:
    image, weight = _turned(_at(given, 0), 0, 3, 1, 2), _turned(_at(given, 1), 0, 3, 1, 2)
    # LiteRT tells groups by the channels of the weights alone.
    groups = max(_channels(image) // max(_channels(weight), 1), 1)
    return "Conv", (image, weight, _at(given, 2)), {**_steps(operator, 4), "group": groups}


def _depthwise(operator: LiteRtOperator, given: Sequence[Tensor | None], _: Sequence[Tensor]) -> _Described:
    image, weight = _turned(_at(given, 0), 0, 3, 1, 2), _turned(_at(given, 1), 3, 0, 1, 2)
    return "Conv", (image, weight, _at(given, 2)), {**_steps(operator, 5), "group": max(_channels(image), 1)}


def _transposed(operator: LiteRtOperator, given: Sequence[Tensor | None], _: Sequence[Tensor]) -> _Described:
    """Read inputs as the size of the result, weights of outputs x height x width x inputs, the image, and a bias."""
    image, weight = _turned(_at(given, 2), 0, 3, 1, 2), _turned(_at(given, 1), 3, 0, 1, 2)
    return "ConvTranspose", (image, weight, _at(given, 3)), _steps(operator, 0)


def _fully_connected(_: LiteRtOperator, given: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> _Described:
    """Read a product of the last elements of the input, whatever its axes, with weights of outputs x inputs."""
    left, weight = _at(given, 0), _at(given, 1)
    if left is not None and left.shape and weight is not None and weight.shape and prod(weight.shape[-1:]):
        left = replace(left, shape=(prod(left.shape) // weight.shape[-1], weight.shape[-1]))
    return "Gemm", (left, weight, _at(given, 2)), {"transB": 1}


def _product(operator: LiteRtOperator, given: Sequence[Tensor | None], _: Sequence[Tensor]) -> _Described:
    both = []
    for number in (0, 1):
        tensor = _at(given, number)
        axes = len(tensor.shape or ()) if tensor is not None else 0
        swapped = operator.option(number, "bool") and axes > 1
        both.append(_turned(tensor, *range(axes - 2), axes - 1, axes - 2) if swapped else tensor)
    return "MatMul", tuple(both), {}


def _lookup(_: LiteRtOperator, given: Sequence[Tensor | None], __: Sequence[Tensor]) -> _Described:
    return "Gather", (_at(given, 1), _at(given, 0)), {}


_COMPUTED: Mapping[str, Callable[[LiteRtOperator, Sequence[Tensor | None], Sequence[Tensor]], _Described]] = {
    "CONV_2D": _convolution,
    "DEPTHWISE_CONV_2D": _depthwise,
    "TRANSPOSE_CONV": _transposed,
    "FULLY_CONNECTED": _fully_connected,
    "BATCH_MATMUL": _product,
    "EMBEDDING_LOOKUP": _lookup,
}
