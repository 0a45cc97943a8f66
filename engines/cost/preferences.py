"""Which dataflow and which array size each layer of a network prefers, by how much, and where its energy goes.

Every layer is evaluated alone, one sample, under every chosen mapping on every chosen array size, with the clock, on-chip
network, buffer and energies of a package (`engines.cost.dataflow.model`). What a layer moves beyond its chiplet depends on the
schedule and is kept apart: `package_network_j` and `off_chip_j` are what it would take if weights, input and output all
came from and went to memory once (odema-2024 section 4.3.6). They are equal for all choices, so no preference counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.errors import ProblemError
from engines.cost.dataflow.model import MAPPING_OF_DATAFLOW, MAPPINGS, ArrayFigures, LayerCosts, grid_costs, shapes_of
from engines.cost.package.model import PackageModel
from engines.workloads.network import Layer, Network
from hardware.package.model import Chiplet, ChipletPackage

Quantity = Literal["latency", "energy", "edp"]

QUANTITIES: tuple[Quantity, ...] = ("latency", "energy", "edp")
# One mapping for each dataflow of a chiplet, and the two that share the array in other ways.
DEFAULT_MAPPINGS = (*MAPPING_OF_DATAFLOW.values(), "yxp_os", "dpt")
DEFAULT_ARRAY_SIZES = (256, 1024, 4096)
MOST_ARRAY_SIZES = 8
# Two mappings that cost the same but for rounding: neither is preferred.
_EQUAL = 1 + 1e-9
_DATAFLOW_OF_MAPPING = {mapping: dataflow for dataflow, mapping in MAPPING_OF_DATAFLOW.items()}


@dataclass(frozen=True)
class ArrayChoice:
    """One column of the comparison: a mapping on an array of that size.

    Attributes:
        mapping: name in `engines.cost.dataflow.model.MAPPINGS`.
        checked: whether the mapping was compared with MAESTRO's own outputs.
        dataflow: the dataflow of a chiplet that the mapping stands for, "" for none.
        on_package: whether the package has such a chiplet.
    """

    mapping: str
    processing_elements: int
    checked: bool
    dataflow: str
    on_package: bool


@dataclass(frozen=True)
class LayerPreferences:
    """Costs of the `n` layers of a network under `m` choices, of one sample.

    Attributes:
        choices: `m`, mapping by mapping, array sizes ascending.
        latency_s, compute_j, level1_j, level2_j, utilisation, buffer_need_bytes: shape `n x m`. The need is what the
            shared buffer must hold in one step of the mapping, doubled.
        package_network_j, off_chip_j, moved_bytes: shape `n`. Weights, input and output moved once: to memory, and over
            the mean number of links between a chiplet and its memory interface.
        buffer_bytes: buffer in bytes of the chiplet behind each choice, shape `m`.
    """

    network: Network
    package: ChipletPackage
    choices: tuple[ArrayChoice, ...]
    latency_s: FloatArray
    compute_j: FloatArray
    level1_j: FloatArray
    level2_j: FloatArray
    utilisation: FloatArray
    buffer_need_bytes: FloatArray
    package_network_j: FloatArray
    off_chip_j: FloatArray
    moved_bytes: FloatArray
    buffer_bytes: FloatArray

    @property
    def energy_j(self) -> FloatArray:
        """Energy of each layer and choice on the chiplet in J, shape `n x m`."""
        return self.compute_j + self.level1_j + self.level2_j

    def values(self, quantity: Quantity) -> FloatArray:
        """Return the latency (s), energy (J) or their product (J s), shape `n x m`; less is better.

        Raises:
            ProblemError: there is no such quantity.
        """
        if quantity == "latency":
            return self.latency_s
        if quantity == "energy":
            return self.energy_j
        if quantity == "edp":
            return self.latency_s * self.energy_j
        raise ProblemError("quantity", quantity, f"one of {', '.join(QUANTITIES)}")

    def best(self, quantity: Quantity) -> IntArray:
        """Return the choice that each layer prefers, shape `n`; of equal ones the first."""
        return np.asarray(self.values(quantity).argmin(axis=1), dtype=np.int64)

    def ratios(self, quantity: Quantity, same_size: bool = False) -> FloatArray:
        """Return the cost of each choice relative to the best one, shape `n x m`, at least 1.

        Args:
            quantity: compared quantity.
            same_size: compare with the best mapping on an array of the same size alone.
        """
        values = self.values(quantity)
        if not same_size:
            return np.asarray(values / values.min(axis=1, keepdims=True))
        sizes = np.array([choice.processing_elements for choice in self.choices])
        ratios = np.empty_like(values)
        for size in np.unique(sizes):
            of_size = sizes == size
            ratios[:, of_size] = values[:, of_size] / values[:, of_size].min(axis=1, keepdims=True)
        return ratios

    def margins(self, quantity: Quantity) -> FloatArray:
        """Return the cost of the second best mapping, at its best size, relative to the best one, shape `n`.

        1 where another mapping costs the same (a depthwise layer runs `dpt` under every one); NaN with a single mapping.
        """
        values, best = self.values(quantity), self.best(quantity)
        names = np.array([choice.mapping for choice in self.choices])
        others = np.where(names[None, :] == names[best][:, None], np.inf, values).min(axis=1)
        ratio = others / values[np.arange(len(values)), best]
        return np.where(np.isfinite(ratio), np.where(ratio < _EQUAL, 1.0, ratio), np.nan)

    def exceeds_buffer(self) -> BoolArray:
        """Return a mask of the choices for which one step exceeds the chiplet buffer, shape `n x m`."""
        return self.buffer_need_bytes > self.buffer_bytes[None, :]

    def exceeds_whole(self) -> BoolArray:
        """Return the layers whose weights, input and output together do not fit the largest buffer, shape `n`."""
        return np.asarray(self.moved_bytes > self.buffer_bytes.max())


def layer_preferences(
    network: Network,
    package: ChipletPackage,
    mappings: Sequence[str] = DEFAULT_MAPPINGS,
    processing_elements: Sequence[int] = (),
) -> LayerPreferences:
    """Compare mappings and array sizes for every layer of `network`, with the figures of `package`.

    A mapping that stands for a dataflow of the package takes the network on chip and the buffer of those chiplets, any
    other one those of the first chiplet. Both stay as they are on arrays of other sizes.

    Args:
        network: network whose layers are compared, one sample each.
        package: clock, word, network on chip, buffers and energies.
        mappings: names of `engines.cost.dataflow.model.MAPPINGS`, each once.
        processing_elements: array sizes; those of the package's own chiplets by default.

    Raises:
        ProblemError: a mapping or size that there is not, stands twice, or too many sizes; a layer that cannot be evaluated.
    """
    sizes = sorted(processing_elements or {chiplet.processing_elements for chiplet in package.chiplets})
    _check_unique("mappings", mappings)
    _check_unique("processing_elements", sizes)
    if len(sizes) > MOST_ARRAY_SIZES:
        raise ProblemError("processing_elements", len(sizes), f"at most {MOST_ARRAY_SIZES} array sizes")
    shapes = shapes_of(network.layers)
    choices: list[ArrayChoice] = []
    parts: list[LayerCosts] = []
    buffers: list[float] = []
    for mapping in mappings:
        chiplet = _chiplet_for(mapping, package)
        figures = _figures(chiplet, package)
        parts.append(grid_costs([mapping], shapes, sizes, [chiplet.noc_bandwidth_elements_per_cycle], figures))
        choices += [_choice(mapping, size, package) for size in sizes]
        buffers += [float(chiplet.buffer_bytes)] * len(sizes)

    def column(name: str) -> FloatArray:
        return np.concatenate([getattr(part, name)[:, 0, :, 0] for part in parts], axis=1)

    joules_per_mac = package.arithmetic.mac_energy_pj * 1e-12
    moved = _moved_bytes(network.layers, package.word_bytes)
    model = PackageModel(package)
    return LayerPreferences(
        network=network,
        package=package,
        choices=tuple(choices),
        latency_s=column("cycles") / package.clock_hz,
        compute_j=column("compute_energy_macs") * joules_per_mac,
        level1_j=column("level1_energy_macs") * joules_per_mac,
        level2_j=column("level2_energy_macs") * joules_per_mac,
        utilisation=column("utilisation"),
        buffer_need_bytes=column("level2_need_elements") * package.word_bytes,
        package_network_j=model.package_energy_j(moved, 1) * float(model.memory_hops.mean()),
        off_chip_j=model.memory_energy_j(moved),
        moved_bytes=moved,
        buffer_bytes=np.array(buffers),
    )


def _check_unique(name: str, values: Sequence[str] | Sequence[int]) -> None:
    if not values:
        raise ProblemError(name, list(values), "a list of at least one value")
    if len(set(values)) < len(values):
        raise ProblemError(name, list(values), "a list of distinct values")


def _chiplet_for(mapping: str, package: ChipletPackage) -> Chiplet:
    dataflow = _DATAFLOW_OF_MAPPING.get(mapping)
    return next((chiplet for chiplet in package.chiplets if chiplet.dataflow == dataflow), package.chiplets[0])


def _figures(chiplet: Chiplet, package: ChipletPackage) -> ArrayFigures:
    arithmetic = package.arithmetic
    return ArrayFigures(
        chiplet.processing_elements,
        chiplet.noc_bandwidth_elements_per_cycle,
        chiplet.noc_hop_latency_cycles,
        arithmetic.level1_access_energy_macs,
        arithmetic.level2_access_energy_macs,
    )


def _choice(mapping: str, size: int, package: ChipletPackage) -> ArrayChoice:
    dataflow = _DATAFLOW_OF_MAPPING.get(mapping, "")
    there = any(c.dataflow == dataflow and c.processing_elements == size for c in package.chiplets)
    return ArrayChoice(mapping, int(size), MAPPINGS[mapping].checked, dataflow, there)


def _moved_bytes(layers: Sequence[Layer], word_bytes: int) -> FloatArray:
    elements = [layer.weight_elements + layer.input_elements + layer.output_elements for layer in layers]
    return np.array(elements, dtype=np.float64) * word_bytes
