"""The protocol of cost models: `estimate(graph, unit, mapping)` gives the costs of every layer of a network on one compute unit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.certainty import Certainty
from engines.contract.errors import ProblemError
from engines.cost.dataflow.inputs import ArrayFigures
from engines.workloads.network import Network


@dataclass(frozen=True)
class ComputeUnit:
    """The base class of units that run layers.

    Attributes:
        name: name in tables of costs ("nvdla-4096", or its name in a device).
    """

    name: str


@dataclass(frozen=True)
class ArrayUnit(ComputeUnit):
    """An array of processing elements with a dataflow: a chiplet, or an accelerator of a system on a chip.

    Attributes:
        mapping: a name of `engines.cost.dataflow.mappings.MAPPINGS`.
        figures: figures of the array; numbers, or arrays with one value per layer.
        clock_hz: clock frequency of the array in Hz.
        mac_energy_pj: energy of one multiply-accumulate in pJ.
        word_bytes: size of an element in bytes.
        buffer_bytes: size of the shared buffer; None if unknown.
    """

    mapping: str
    figures: ArrayFigures
    clock_hz: float
    mac_energy_pj: float
    word_bytes: float = 1.0
    buffer_bytes: int | None = None


@dataclass(frozen=True)
class LayerEstimates:
    """The costs of one sample by layer; arrays of shape `layers`, NaN for costs that the model does not compute.

    Attributes:
        layers: names of the layers, in the order of the network.
        cycles: clock cycles of the compute unit.
        latency_s, energy_j: latency in s and energy in J of the compute unit; the caller adds off-chip transfers.
        buffer_bytes: reads and writes of the shared buffer.
        off_chip_bytes: reads and writes of the memory behind it.
        notes: sentences on assumptions and limits of the numbers.
    """

    layers: tuple[str, ...]
    cycles: FloatArray
    latency_s: FloatArray
    energy_j: FloatArray
    buffer_bytes: FloatArray
    off_chip_bytes: FloatArray
    notes: tuple[str, ...] = ()

    def totals(self) -> dict[str, float]:
        """Return the sums over all layers by name of the column."""
        return {name: float(getattr(self, name).sum()) for name in COST_COLUMNS}


PARTIAL_SUMS = "partial sums of an output-stationary array"
STALLS = "waiting for memory"
COST_COLUMNS = ("cycles", "latency_s", "energy_j", "buffer_bytes", "off_chip_bytes")


class CostEstimator(ABC):
    """The base class of cost models of layers. A subclass declares the attributes below and implements `estimate`.

    Args:
        table: CSV text of costs, for a model that reads one; others ignore it.

    Attributes:
        name: name in parameters and commands.
        title: title on pages, in a few words.
        words: source of its numbers, as part of a sentence.
        version: increases when its numbers change.
        units: classes of compute units that it supports.
        certainty: certainty of its numbers, a word of the ladder.
        assumptions: subject -> assumption of the model, which explains disagreements with other models.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    words: ClassVar[str]
    version: ClassVar[int] = 1
    units: ClassVar[tuple[type[ComputeUnit], ...]] = (ArrayUnit,)
    certainty: ClassVar[Certainty] = "predicted"
    assumptions: ClassVar[Mapping[str, str]] = {}

    def __init__(self, table: str = "") -> None:
        self.table = table

    @abstractmethod
    def estimate(self, graph: Network, unit: ComputeUnit, mapping: str | None = None) -> LayerEstimates:
        """Return the costs of every layer of `graph`, one sample each, on `unit`.

        Args:
            graph: the network.
            unit: compute unit, an instance of one of the classes in `units`.
            mapping: name of a mapping in `MAPPINGS`; by default that of the unit.

        Raises:
            ProblemError: the model does not support the unit, or cannot evaluate a layer, which the error names.
        """


def array_of(unit: ComputeUnit) -> ArrayUnit:
    """Return `unit` if it is an array of processing elements; raise `ProblemError` for any other unit."""
    if not isinstance(unit, ArrayUnit):
        raise ProblemError("unit", unit.name, "a compute unit with a dataflow")
    return unit


def unknown(count: int) -> FloatArray:
    """Return the column of a cost that a model does not state, shape `count`."""
    return np.full(count, np.nan)


def layer_names(graph: Network) -> tuple[str, ...]:
    """Return the names of the layers of a network."""
    return tuple(layer.name for layer in graph.layers)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return at most `most` names as text, with the number of the others."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
