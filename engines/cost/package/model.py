"""Latency and energy of moving data in a chiplet package, and of pipelines of segments on it.

Source: odema-2024, sections 4.3.5 and 4.3.6 (unnumbered equations); pipelines with mini-batches: the MICRO 2024 text of
the same method (arXiv 2405.00790v2). Sizes are bytes, times seconds, energies joules.

Readings of what the text leaves open: off-chip transfers run at the bandwidth of one memory interface (the printed BW_mem
is defined as another one); the contention term delta is 0; E_mem is energy per bit times bits; a chiplet reaches memory
through `ChipletPackage.interface_of`, so that interface chiplets have no hops to it.

Time of off-chip transfers, `DramRule`: "package" is the equation as printed; "maestro" leaves the bandwidth to MAESTRO's
off-chip rule, by which no step of a layer is shorter than moving its first working set (`engines.cost.dataflow.model`), so that
here only the hops to the interface and the latency of the memory remain.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from hardware.package.model import ChipletPackage

LatencyReading = Literal["pipelined_maximum", "fill_drain", "end_to_end"]
DramRule = Literal["package", "maestro"]

_JOULES_PER_PICOJOULE = 1e-12
_BITS_PER_BYTE = 8


def xy_route(package: ChipletPackage, source: int, target: int) -> tuple[int, ...]:
    """Return the chiplets on the XY route from `source` to `target`, both included: first along the row, then along the column."""
    here, there = package.chiplets[source], package.chiplets[target]
    step_x = 1 if there.column > here.column else -1
    step_y = 1 if there.row > here.row else -1
    along_row = [(here.row, column) for column in range(here.column, there.column, step_x)]
    along_column = [(row, there.column) for row in range(here.row, there.row, step_y)]
    cells = [*along_row, *along_column, (there.row, there.column)]
    return tuple(package.chiplet_at(row, column).index for row, column in cells)


def memory_node(package: ChipletPackage, interface: int) -> str:
    """Return the name of the memory behind an interface chiplet: "DRAM left 0" (side, then row or, at top and bottom, column)."""
    chiplet = package.chiplets[interface]
    at = {
        "left": (chiplet.column == 0, chiplet.row),
        "right": (chiplet.column == package.columns - 1, chiplet.row),
        "top": (chiplet.row == 0, chiplet.column),
        "bottom": (chiplet.row == package.rows - 1, chiplet.column),
    }
    side = next(side for side in package.memory.sides if at[side][0])
    return f"DRAM {side} {at[side][1]}"


class PackageModel:
    """The model of distances, transfers and routes of one package.

    Attributes:
        package: modelled package.
        dram_rule: rule for the time of off-chip transfers.
        hops: number of links between any two chiplets, shape `n x n`.
        interface: index of the chiplet through which each one reaches memory, shape `n`.
        memory_hops: number of links from each chiplet to its interface, shape `n`.
        neighbours: directly linked chiplets of each one.
    """

    def __init__(self, package: ChipletPackage, dram_rule: DramRule = "package") -> None:
        self.package = package
        self.dram_rule = dram_rule
        count = len(package.chiplets)
        self.hops: IntArray = np.array(
            [[package.hops(a, b) for b in range(count)] for a in range(count)], dtype=np.int64
        )
        self.interface: IntArray = np.array([package.interface_of(c) for c in range(count)], dtype=np.int64)
        self.memory_hops: IntArray = self.hops[np.arange(count), self.interface]
        self.neighbours = tuple(package.neighbours(c) for c in range(count))

    def package_latency_s(self, size_bytes: FloatArray | float, hops: IntArray | int) -> FloatArray:
        """Return the latency of a transfer within the package, Lat_com = Sz / BW_nop + n_hops Lat_hop; 0 on the same chiplet.

        Odema-2024 sections 4.3.5 and 4.3.6. Seconds, of the shape to which sizes and hops broadcast.
        """
        network = self.package.network
        moving = size_bytes / network.bandwidth_bytes_per_s + hops * network.hop_latency_s
        return np.where(np.asarray(hops) > 0, moving, 0.0)

    def off_chip_latency_s(self, size_bytes: FloatArray | float, hops: IntArray | int) -> FloatArray:
        """Return the latency of a transfer to or from memory, Lat_com = Sz / BW_offchip + n_hops Lat_hop + Lat_mem; 0 for 0 bytes.

        Odema-2024 sections 4.3.5 and 4.3.6. Seconds, of the shape to which sizes and hops broadcast.
        """
        network, memory = self.package.network, self.package.memory
        moving = self.off_chip_streaming_s(size_bytes) + hops * network.hop_latency_s + memory.latency_s
        return np.where(np.asarray(size_bytes) > 0, moving, 0.0)

    def off_chip_streaming_s(self, size_bytes: FloatArray | float) -> FloatArray:
        """Return Sz / BW_offchip in seconds, shape of the sizes; 0 if MAESTRO's off-chip rule counts this time."""
        if self.dram_rule == "maestro":
            return np.zeros(np.shape(size_bytes))
        return np.asarray(size_bytes / self.package.memory.bandwidth_bytes_per_s)

    def package_energy_j(self, size_bytes: FloatArray | float, hops: IntArray | int) -> FloatArray:
        """Return the energy of a transfer within the package, E_com = Sz E_bit n_hops, in J; sizes and hops broadcast."""
        picojoules = size_bytes * _BITS_PER_BYTE * self.package.network.energy_pj_per_bit_per_hop * hops
        return np.asarray(picojoules * _JOULES_PER_PICOJOULE, dtype=np.float64)

    def memory_energy_j(self, size_bytes: FloatArray | float) -> FloatArray:
        """Return E_mem: energy per bit times bits, shape of the sizes; the hops to the interface cost `package_energy_j` on top."""
        picojoules = size_bytes * _BITS_PER_BYTE * self.package.memory.energy_pj_per_bit
        return np.asarray(picojoules * _JOULES_PER_PICOJOULE, dtype=np.float64)

    @cached_property
    def links(self) -> tuple[tuple[str, str], ...]:
        """Directed links as pairs of node names: between neighbours, from memory to its interface and back."""
        between = [(f"C{a}", f"C{b}") for a, near in enumerate(self.neighbours) for b in near]
        memories = [(memory_node(self.package, c), f"C{c}") for c in sorted(set(self.interface.tolist()))]
        return (*between, *memories, *((chiplet, memory) for memory, chiplet in memories))

    @cached_property
    def link_s_per_byte(self) -> FloatArray:
        """Time per byte of each of `links` in s, shape `links`: links to memory at BW_offchip, the others at BW_nop."""
        between = sum(len(near) for near in self.neighbours)
        seconds = np.full(len(self.links), 1 / self.package.memory.bandwidth_bytes_per_s)
        seconds[:between] = 1 / self.package.network.bandwidth_bytes_per_s
        return seconds

    @cached_property
    def _link_index(self) -> dict[tuple[str, str], int]:
        return {link: index for index, link in enumerate(self.links)}

    def route_links(self, source: int, target: int) -> tuple[int, ...]:
        """Return the indices into `links` of the XY route between two chiplets."""
        route = xy_route(self.package, source, target)
        return tuple(self._link_index[f"C{a}", f"C{b}"] for a, b in pairwise(route))

    @cached_property
    def read_links(self) -> tuple[tuple[int, ...], ...]:
        """Indices into `links` of the route from memory to each chiplet."""
        return tuple(self._memory_route(c, reading=True) for c in range(len(self.neighbours)))

    @cached_property
    def write_links(self) -> tuple[tuple[int, ...], ...]:
        """Indices into `links` of the route from each chiplet to memory."""
        return tuple(self._memory_route(c, reading=False) for c in range(len(self.neighbours)))

    def _memory_route(self, chiplet: int, *, reading: bool) -> tuple[int, ...]:
        interface = int(self.interface[chiplet])
        memory, node = memory_node(self.package, interface), f"C{interface}"
        if reading:
            return (self._link_index[memory, node], *self.route_links(interface, chiplet))
        return (*self.route_links(chiplet, interface), self._link_index[node, memory])


@dataclass(frozen=True)
class BatchSplit:
    """The division of a batch in a pipeline: `rounds` mini-batches of `samples` each (the last may be smaller)."""

    samples: int
    rounds: int


def split_batch(batch: int, mini_batch: int, reading: LatencyReading) -> BatchSplit:
    """Return the mini-batches of a window. Only "fill_drain" has them; the other readings move the whole batch at once."""
    if reading != "fill_drain":
        return BatchSplit(batch, 1)
    samples = min(mini_batch, batch)
    return BatchSplit(samples, -(-batch // samples))


def pipeline_latency_s(first_s: FloatArray, steady_s: FloatArray, rounds: int, reading: LatencyReading) -> FloatArray:
    """Return Lat(SG_m), the latency of the segments of one network in a time window.

    - "end_to_end": sum_k Lat(sg_k);
    - "pipelined_maximum": max_k Lat(sg_k);
    - "fill_drain": sum_k Lat(sg_k | b') + (b / b' - 1) max_k Lat(sg_k | b'), with b' samples per mini-batch.

    Args:
        first_s: latency of each segment for the first mini-batch, shape `... x segments`.
        steady_s: latency of each segment for every later mini-batch, same shape.
        rounds: number of mini-batches, b / b'.
        reading: one of the three readings.

    Returns:
        Seconds, shape `...`.
    """
    if reading == "pipelined_maximum":
        return np.asarray(first_s.max(axis=-1))
    # Added up one by one: numpy's pairwise sum would depend on the memory layout.
    total = first_s[..., 0].copy()
    for k in range(1, first_s.shape[-1]):
        total = total + first_s[..., k]
    if reading == "fill_drain" and rounds > 1:
        total = total + (rounds - 1) * steady_s.max(axis=-1)
    return np.asarray(total)
