"""A network as a file describes it: tensors of known size and the operators between them, whatever the format was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from engines.workloads.importing.limits import MAX_DIMENSIONS


@dataclass(frozen=True)
class Tensor:
    """A tensor that goes into or comes out of an operator.

    Attributes:
        shape: dimensions of the tensor; None if unknown.
        constant: whether it is the same for every sample: a weight, or computed from weights and sizes alone.
        weight: identity of the weight that it is or is computed from, the same wherever that is used; "" for activations, masks,
            indices, and what follows from sizes and single numbers.
        numbers: its elements, where they are whole, known and few.
    """

    name: str
    shape: tuple[int, ...] | None
    constant: bool = False
    weight: str = ""
    numbers: tuple[int, ...] | None = None

    @property
    def elements(self) -> int:
        """How many; 0 where the shape is not known."""
        return 0 if self.shape is None else prod(self.shape)


@dataclass(frozen=True)
class Node:
    """One operator.

    Attributes:
        name: unique enough to find it in the file.
        operator: type of the operator, with its domain unless it is the standard one.
        inputs, outputs: in the order of the operator's definition; None for an input that is left out.
        attributes: name -> value: whole numbers, fractions, texts and lists of them.
        inside: operators in the graphs that the node holds (loops, branches).
        loop: name of the loop of which the node is a turn's; "" for none.
        reason: why such a graph is not followed; empty for all other operators.
        origin: number of the operator of the file's outermost graph that it is, or is inside of; -1 in other formats.
    """

    name: str
    operator: str
    inputs: tuple[Tensor | None, ...]
    outputs: tuple[Tensor, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    inside: int = 0
    loop: str = ""
    reason: str = ""
    origin: int = -1

    def tensor(self, index: int) -> Tensor | None:
        """Return the input of that number; None where it is left out."""
        return self.inputs[index] if index < len(self.inputs) else None

    def largest(self, index: int) -> int | None:
        """Return the largest element of an input of whole numbers; None where they are not known."""
        tensor = self.tensor(index)
        return None if tensor is None or not tensor.numbers else max(tensor.numbers)

    @property
    def prepared(self) -> bool:
        """Whether it depends on no sample, so that it is computed once, before any."""
        return all(output.constant for output in self.outputs)

    @property
    def activation_elements(self) -> int:
        """Elements of all inputs that belong to a sample."""
        return sum(tensor.elements for tensor in self.inputs if tensor is not None and not tensor.constant)

    @property
    def weights(self) -> tuple[Tensor, ...]:
        """The inputs that are weights, each once; single numbers are none."""
        inputs = (tensor for tensor in self.inputs if tensor is not None)
        return tuple({each.weight: each for each in inputs if each.weight and each.elements > 1}.values())

    @property
    def weight_elements(self) -> int:
        """Elements of all inputs that are weights."""
        return sum(tensor.elements for tensor in self.weights)

    def is_weight(self, index: int) -> bool:
        """Return whether the input of that number is a weight, which may be a single number."""
        tensor = self.tensor(index)
        return tensor is not None and bool(tensor.weight)

    @property
    def output_elements(self) -> int:
        """Elements of all outputs."""
        return sum(tensor.elements for tensor in self.outputs)


@dataclass(frozen=True)
class OperatorBits:
    """Bits of the quantised tensors of an operator; 0 for what the file leaves in floating point.

    Attributes:
        weights: bits of a weight, with its share of the scales and zero points of blocks.
        activations: activations of each element of the inputs that belong to a sample.
    """

    weights: float = 0.0
    activations: float = 0.0

    def fields(self) -> dict[str, float]:
        """Return the bits as fields of an operation of a network document."""
        told = {"weight_bits": self.weights, "activation_bits": self.activations}
        return {name: int(bits) if bits.is_integer() else bits for name, bits in told.items() if bits}


def stated_bits_words(found: Iterable[OperatorBits]) -> str:
    """Return a sentence about operators that state bits of their weights; "" for none."""
    weights = [each.weights for each in found if each.weights]
    if not weights:
        return ""
    least, most = min(weights), max(weights)
    span = f"{least:.3g} bits" if least == most else f"{least:.3g} to {most:.3g} bits"
    return f"The file states {span} per weight, and costs count these bits."


# What gives a size of 0 that stands in the file, for an empty cache or, by some exporters, for an open size.
EMPTY_INPUT = "an input of size 0"


@dataclass(frozen=True)
class ImportedGraph:
    """A network as a file describes it.

    Attributes:
        nodes: in topological order.
        inputs: inputs of a sample.
        source: the file in words: format, version, what wrote it.
        notes: remarks for the reader, one sentence each.
        sizes: name of a dimension that the file leaves open -> the size that it is read with.
        weight_bits: the fewest bits that the file stores weights in; None where all have 32 or more.
        bits: name of the first output of an operator -> its bits, of those that read quantised tensors.
        open_sizes: name of a size that depends on the data, so that a person must give it -> the operator that gives it.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Tensor, ...]
    source: str
    notes: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)
    open_sizes: Mapping[str, str] = field(default_factory=dict)
    weight_bits: int | None = None
    bits: Mapping[str, OperatorBits] = field(default_factory=dict)


class UnknownSizeError(Exception):
    """A size that is not known, or that no cost model takes. The message is the reason, in the middle of a sentence."""


class ContradictionError(UnknownSizeError):
    """An error for sizes of one operator that contradict each other: no runtime executes it."""


def shape_of(node: Node, index: int, least: int = 1, most: int = MAX_DIMENSIONS) -> tuple[int, ...]:
    """Return the shape of an input.

    Args:
        node: whose input.
        index: number of the input.
        least: smallest number of dimensions.
        most: largest number of results.

    Raises:
        UnknownSizeError: the input is left out, its size is not known, or it has another number of dimensions.
    """
    return _known(node.tensor(index), least, most)


def output_shape(node: Node, index: int = 0, least: int = 1, most: int = MAX_DIMENSIONS) -> tuple[int, ...]:
    """Return the shape of an output. Arguments and errors as `shape_of`."""
    return _known(node.outputs[index] if index < len(node.outputs) else None, least, most)


def _known(tensor: Tensor | None, least: int, most: int) -> tuple[int, ...]:
    if tensor is None or tensor.shape is None or not least <= len(tensor.shape) <= most:
        reason = "an input is left out" if tensor is None else f"the size of {tensor.name} is not known"
        if tensor is not None and tensor.shape is not None:
            reason = f"{tensor.name} has {len(tensor.shape)} dimensions"
        raise UnknownSizeError(reason)
    return tensor.shape
