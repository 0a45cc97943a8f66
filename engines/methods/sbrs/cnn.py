"""A scenario: a network as layers and edges.

Source: minakova-2022 section 3.1, where a layer is (op, hyp, par, I, O) and an edge says which layer reads what another wrote.
I and O of a layer are the edges that end and begin at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class CnnLayer:
    """One layer.

    Attributes:
        name: within its network.
        operator: op, as in "conv+activation" where an activation is folded into it.
        hyperparameters: hyp, as (name, value) in the order of names: kernel, stride, padding.
        parameters: identity of the values of par; equal only where two layers hold the very same values; "" for none.
        parameter_shapes: shapes of the tensors of par.
        parameter_elements: learnable parameters, |par|.
        output_elements: output elements of the tensor Y that the layer writes onto each of its output edges.
    """

    name: str
    operator: str
    hyperparameters: tuple[tuple[str, str], ...] = ()
    parameters: str = ""
    parameter_shapes: tuple[tuple[int, ...], ...] = ()
    parameter_elements: int = 0
    output_elements: int = 0


@dataclass(frozen=True)
class Cnn:
    """A network of `n` layers in the order of execution.

    Attributes:
        edges: (from, to) by number of layer, from 0 on, `from < to`; in the order in which a layer reads them.
    """

    name: str
    layers: tuple[CnnLayer, ...]
    edges: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        count = len(self.layers)
        wrong = [edge for edge in self.edges if not 0 <= edge[0] < edge[1] < count]
        if not count or wrong:
            raise ValueError(f"Edges must lead forward between {count} layers (at least one). Got {wrong} instead.")

    @cached_property
    def inputs(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the edges that end at each layer."""
        found: list[list[int]] = [[] for _ in self.layers]
        for number, (_, target) in enumerate(self.edges):
            found[target].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def outputs(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the edges that begin at each layer."""
        found: list[list[int]] = [[] for _ in self.layers]
        for number, (source, _) in enumerate(self.edges):
            found[source].append(number)
        return tuple(map(tuple, found))

    @property
    def parameter_elements(self) -> int:
        """Learnable parameters of all layers."""
        return sum(layer.parameter_elements for layer in self.layers)

    @property
    def buffer_elements(self) -> int:
        """Elements on all edges: |Y| of a layer once per output edge (eq. 1)."""
        return sum(self.layers[source].output_elements for source, _ in self.edges)

    def memory_bytes(self, bytes_per_element: int) -> int:
        """Return the memory of the network alone, nothing shared within it (minakova-2022 eq. 1)."""
        return (self.parameter_elements + self.buffer_elements) * bytes_per_element


@dataclass(frozen=True)
class TimedCnn:
    """A network with what its layers cost on a device.

    Attributes:
        latency_s, energy_j: latency in seconds and energy in joules of each of the `n` layers, for one frame.
        accuracy_percent: measured on held-out data by the person who gave it; None where nobody did.
        assumed_chain: whether the document of the network does not say what its operations read.
    """

    cnn: Cnn
    latency_s: tuple[float, ...]
    energy_j: tuple[float, ...]
    accuracy_percent: float | None = None
    assumed_chain: bool = False

    @property
    def frame_s(self) -> float:
        """The latency in seconds of one frame: the sum over all layers."""
        return sum(self.latency_s)

    @property
    def throughput_fps(self) -> float:
        """Frames per second (minakova-2022 eq. 2, N = 1)."""
        return 1.0 / self.frame_s

    @property
    def frame_j(self) -> float:
        """Energy of one frame (minakova-2022 eq. 3, N = 1)."""
        return sum(self.energy_j)

    @property
    def power_w(self) -> float:
        """Mean power while frames follow each other."""
        return self.frame_j / self.frame_s


def chain(layers: int) -> tuple[tuple[int, int], ...]:
    """Return the edges of a chain of so many layers."""
    return tuple((number, number + 1) for number in range(layers - 1))


def require_names(cnns: Sequence[Cnn]) -> None:
    """Refuse networks of one name: the name identifies pairs of scenarios.

    Raises:
        ValueError: a name occurs twice.
    """
    names = [cnn.name for cnn in cnns]
    if len(set(names)) != len(names):
        raise ValueError(f"Scenarios must have different names. Got {names} instead.")
