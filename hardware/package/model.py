"""Chiplet packages: a mesh of accelerator chiplets with a network-on-package and off-chip interfaces.

Source of the model: odema-2024, Definitions 4.2 and 4.3, Table 4.1, section 4.5.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.bits import BitWidths, whole_bytes

DATAFLOWS = ("nvdla", "shi-diannao")


@dataclass(frozen=True)
class Chiplet:
    """One accelerator chiplet (odema-2024 Def. 4.2), c = {df, N_PE, BW_noc, BW_mem, Sz_mem}."""

    index: int
    row: int
    column: int
    dataflow: str
    processing_elements: int
    noc_bandwidth_elements_per_cycle: float
    noc_hop_latency_cycles: float
    buffer_bytes: int


@dataclass(frozen=True)
class NetworkOnPackage:
    """Mesh links between neighbouring chiplets, XY routed."""

    bandwidth_bytes_per_s: float
    hop_latency_s: float
    energy_pj_per_bit_per_hop: float


@dataclass(frozen=True)
class OffChipMemory:
    """DRAM behind the interfaces at the package's sides; `bandwidth_bytes_per_s` is per interface.

    Attributes:
        sides: out of "left", "right", "top", "bottom": every chiplet at such a side has a direct interface.
        capacity_bytes: capacity in bytes of the memory behind all interfaces together; None where it is not known.
    """

    bandwidth_bytes_per_s: float
    latency_s: float
    energy_pj_per_bit: float
    sides: tuple[str, ...]
    capacity_bytes: int | None = None


@dataclass(frozen=True)
class ArithmeticEnergy:
    """Energy of one multiply-accumulate and of buffer accesses relative to it."""

    mac_energy_pj: float
    level1_access_energy_macs: float
    level2_access_energy_macs: float


@dataclass(frozen=True)
class ChipletPackage:
    """A package (odema-2024 Def. 4.3), H = {C, BW_offchip, BW_nop}; chiplets in row-major order.

    Attributes:
        sources: dotted key of a figure -> where the figure is from.
    """

    slug: str
    title: str
    rows: int
    columns: int
    chiplets: tuple[Chiplet, ...]
    network: NetworkOnPackage
    memory: OffChipMemory
    arithmetic: ArithmeticEnergy
    clock_hz: float
    process_node_nm: float
    word_bytes: int
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def bits(self) -> BitWidths:
        """Return the bits of every element."""
        return whole_bytes(self.word_bytes)

    def chiplet_at(self, row: int, column: int) -> Chiplet:
        """Return the chiplet in that row and column (0-based, from the top left)."""
        return self.chiplets[row * self.columns + column]

    def hops(self, source: int, target: int) -> int:
        """Return the links on the XY route between two chiplets: the Manhattan distance."""
        a, b = self.chiplets[source], self.chiplets[target]
        return abs(a.row - b.row) + abs(a.column - b.column)

    def has_interface(self, index: int) -> bool:
        """Return whether the chiplet has a direct off-chip interface."""
        chiplet = self.chiplets[index]
        at = {
            "left": chiplet.column == 0,
            "right": chiplet.column == self.columns - 1,
            "top": chiplet.row == 0,
            "bottom": chiplet.row == self.rows - 1,
        }
        return any(at[side] for side in self.memory.sides)

    def interface_of(self, index: int) -> int:
        """Return the chiplet through which `index` reaches memory: nearest by hops, then same row, then lowest index."""
        row = self.chiplets[index].row
        candidates = [c.index for c in self.chiplets if self.has_interface(c.index)]
        return min(candidates, key=lambda c: (self.hops(index, c), self.chiplets[c].row != row, c))

    def neighbours(self, index: int) -> tuple[int, ...]:
        """Return directly linked chiplets, in ascending order."""
        return tuple(c.index for c in self.chiplets if self.hops(index, c.index) == 1)
