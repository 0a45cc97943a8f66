"""Networks as engines see them: operations as imported, layers as scheduled, scenarios as executed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

INPUT = -1
SharedWeights = tuple[tuple[str, int], ...]
COMPUTE_KINDS = ("conv", "depthwise", "transposed_conv", "gemm", "matmul")


@dataclass(frozen=True)
class Operation:
    """One row of a network's table.

    `k c r s` output channels, input channels (of all groups together), kernel height and width; `y x` input height and width
    as stored (without padding); `padding_y padding_x` zeros of both sides together; `oy ox` output height and width. A kernel
    that is dilated, or whose steps differ in the two directions, is scheduled as one that is not, with the larger step:
    `stride` is that step, and the padding, which may be below 0, is what gives as many outputs. A GEMM
    of `m x c` by `c x k` is stored with y=m, x=r=s=1. `repeats` counts identical independent products (attention heads).
    Kinds outside `COMPUTE_KINDS` carry no MACs of their own. `weight_elements` of a product of two activations (`matmul`) is
    0, or its bias: its second operand is part of `input_elements`, and so is the kernel of a convolution that is computed for
    each sample. `shared_weights` are name and elements of those of its weights that other operations use as well. What no cost
    model knows is `unpriced`; `operator` names it, and `excluded` says that it may be left out. `reads` are the numbers of the
    operations whose results it reads, with `INPUT` where it reads the network's input too; empty: the input alone; None where it
    is not said: the one before, as in a chain. `weight_bits` and `activation_bits` are what an element takes where the network says
    it, of weights with their share of scales and zero points; 0: not said.
    """

    index: int
    name: str
    kind: str
    k: int
    c: int
    r: int
    s: int
    y: int
    x: int
    oy: int
    ox: int
    stride: int
    padding_y: int
    padding_x: int
    groups: int
    repeats: int
    macs: int
    weight_elements: int
    input_elements: int
    output_elements: int
    operator: str = ""
    excluded: bool = False
    reads: tuple[int, ...] | None = None
    shared_weights: SharedWeights = ()
    weight_bits: float = 0.0
    activation_bits: float = 0.0

    @property
    def sources(self) -> tuple[int, ...]:
        """Numbers of the operations whose results it reads, of a whole network; none where it reads the network's input alone."""
        if self.reads is None:
            return (self.index - 1,) if self.index else ()
        return tuple(number for number in self.reads if number != INPUT)

    @property
    def reads_input(self) -> bool:
        """Whether it reads the network's input, alone or next to results."""
        return not self.sources or INPUT in (self.reads or ())


def has_graph(operations: Iterable[Operation]) -> bool:
    """Return whether a document says what the operations of a network read; else it is a list, taken as a chain."""
    return any(operation.reads is not None for operation in operations)


@dataclass(frozen=True)
class Layer:
    """A schedulable layer: one compute operation with what follows it folded in.

    Dimensions as in `Operation`, with `y x` *including padding*, so that `(y - r) // stride + 1 == oy`. `kind` is one of
    "conv", "depthwise", "gemm", "matmul". `depthwise` layers filter each of their `c` channels on its own; they have k=1 and
    groups=1. `groups` > 1 means `groups` independent convolutions of `c` (per group) to `k` (per group) channels, executed
    one after the other. `repeats` counts identical independent products executed one after the other (attention heads);
    1 for everything else. MACs, weights and activations are of all groups and repeats together, for one sample.
    `output_elements` is what leaves the layer, after the operations `folded` into it; `shared_weights` are name and elements of
    those of its weights that other layers, or a lookup, use as well.
    """

    index: int
    name: str
    kind: str
    k: int
    c: int
    r: int
    s: int
    y: int
    x: int
    stride: int
    depthwise: bool
    groups: int
    repeats: int
    macs: int
    weight_elements: int
    input_elements: int
    output_elements: int
    folded: tuple[str, ...] = ()
    shared_weights: SharedWeights = ()


@dataclass(frozen=True)
class Network:
    """A network as schedulable layers in topological order.

    Attributes:
        lookup_elements: parameters in tables of which a sample reads single rows (embeddings) and that no layer has as weights.
            They are never loaded whole; the rows read are the input of the first layer.
        operations: as imported, in topological order, for cost models that look at each one.
        weight_bits: the fewest bits that the file stores weights in; None where it does not tell, or has 32 and more.
        results: name of a tensor in the file and of the operation that gives it, where the one does not tell the other.
    """

    slug: str
    title: str
    short_title: str
    layers: tuple[Layer, ...]
    source: str
    lookup_elements: int = 0
    operations: tuple[Operation, ...] = ()
    results: tuple[tuple[str, str], ...] = ()
    weight_bits: int | None = None

    @property
    def macs(self) -> int:
        """Multiply-accumulates of one sample."""
        return sum(layer.macs for layer in self.layers)

    @property
    def weight_elements(self) -> int:
        """Weights of all layers together, each once."""
        return distinct_elements(self.layers)

    @property
    def parameters(self) -> int:
        """Weights of all layers and tables, each once."""
        return self.weight_elements + self.lookup_elements


def distinct_elements(rows: Iterable[Operation | Layer]) -> int:
    """Return the weights of operations or layers, each once."""
    return sum(first_elements(rows))


def first_elements(rows: Iterable[Operation | Layer]) -> list[int]:
    """Return for each operation or layer the number of its weights that none before it has."""
    counts, seen = [], set[str]()
    for row in rows:
        counts.append(row.weight_elements - sum(elements for name, elements in row.shared_weights if name in seen))
        seen.update(name for name, _ in row.shared_weights)
    return counts


@dataclass(frozen=True)
class ScenarioModel:
    """One model of a scenario: `batch` samples of `network`.

    Attributes:
        rate_fps: samples per second that must be processed; None where nothing asks for a rate.
        priority: 1 is served first; None where models are equal.
        probability: share of the samples for which it runs at all.
        depends_on: slug of the network whose output it waits for; "" for none.
        deadline_s: time from the arrival of a batch within which its results are needed; None where nothing asks for one.
    """

    network: Network
    batch: int
    rate_fps: float | None = None
    priority: int | None = None
    probability: float = 1.0
    depends_on: str = ""
    deadline_s: float | None = None

    @property
    def macs_per_s(self) -> float | None:
        """Multiply-accumulates per second that the rate asks for on average; None without a rate."""
        return None if self.rate_fps is None else self.rate_fps * self.probability * self.network.macs


@dataclass(frozen=True)
class Scenario:
    """A multi-model workload (odema-2024 Def. 4.1)."""

    slug: str
    title: str
    models: tuple[ScenarioModel, ...]
    source: str
