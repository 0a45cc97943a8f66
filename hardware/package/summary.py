"""A package in words and rows, for pages, lists and the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hardware.package.model import Chiplet, ChipletPackage, OffChipMemory
from hardware.units import GIB

DATAFLOW_TITLES = {"nvdla": "NVDLA", "shi-diannao": "Shi-diannao"}
MIB = 2**20


@dataclass(frozen=True)
class FigureRow:
    """One figure for people: title, value, unit ("" for a plain number)."""

    title: str
    value: str | float
    unit: str = ""


def layout_words(package: ChipletPackage) -> str:
    """Return the number of chiplets of each dataflow, the most frequent first: "6 NVDLA, 3 Shi-diannao"."""
    counts = Counter(chiplet.dataflow for chiplet in package.chiplets)
    return ", ".join(f"{count} {DATAFLOW_TITLES.get(name, name)}" for name, count in counts.most_common())


def package_words(package: ChipletPackage) -> str:
    """Return mesh, dataflows and sizes: "3 × 3: 6 nvdla, 3 shi-diannao; 4096 PEs each"."""
    dataflows = Counter(chiplet.dataflow for chiplet in package.chiplets)
    parts = ", ".join(f"{count} {dataflow}" for dataflow, count in dataflows.items())
    elements = sorted({chiplet.processing_elements for chiplet in package.chiplets})
    return f"{package.rows} × {package.columns}: {parts}; {' or '.join(map(str, elements))} PEs each"


def summarise(package: ChipletPackage) -> tuple[FigureRow, ...]:
    """Return every figure of the package in the units of data sheets, in the order in which one describes hardware."""
    network, memory, arithmetic = package.network, package.memory, package.arithmetic
    return (
        FigureRow("Mesh", f"{package.rows} × {package.columns}"),
        FigureRow("Chiplets", layout_words(package)),
        _per_class("Processing elements", "per chiplet", (c.processing_elements for c in package.chiplets)),
        _per_class("Shared buffer", "MiB", (c.buffer_bytes / MIB for c in package.chiplets)),
        _per_class("On-chip network", "elements/cycle", (_noc(c) for c in package.chiplets)),
        FigureRow("Clock", _short(package.clock_hz / 1e6), "MHz"),
        FigureRow("Link bandwidth", _short(network.bandwidth_bytes_per_s / 1e9), "GB/s"),
        FigureRow("Link latency", _short(network.hop_latency_s * 1e9), "ns/hop"),
        FigureRow("Link energy", network.energy_pj_per_bit_per_hop, "pJ/bit/hop"),
        FigureRow("Memory bandwidth", _short(memory.bandwidth_bytes_per_s / 1e9), "GB/s per interface"),
        FigureRow("Memory latency", _short(memory.latency_s * 1e9), "ns"),
        FigureRow("Memory energy", memory.energy_pj_per_bit, "pJ/bit"),
        FigureRow("Memory interfaces", f"{len(interfaces(package))} ({', '.join(memory.sides)})"),
        _capacity(memory),
        FigureRow("MAC energy", arithmetic.mac_energy_pj, "pJ"),
        FigureRow("Process node", package.process_node_nm, "nm"),
        FigureRow("Word", package.word_bytes, "B"),
    )


def _capacity(memory: OffChipMemory) -> FigureRow:
    if memory.capacity_bytes is None:
        return FigureRow("Memory capacity", "unknown")
    return FigureRow("Memory capacity", _short(memory.capacity_bytes / GIB), "GiB")


def interfaces(package: ChipletPackage) -> tuple[int, ...]:
    """Return the indices of the chiplets with a direct off-chip interface."""
    return tuple(chiplet.index for chiplet in package.chiplets if package.has_interface(chiplet.index))


def _noc(chiplet: Chiplet) -> float:
    return chiplet.noc_bandwidth_elements_per_cycle


def _short(value: float) -> float:
    # Converting ns to s and back leaves 35.00000000000001; twelve digits are more than any data sheet has.
    return float(f"{value:.12g}")


def _per_class(title: str, unit: str, values: Iterable[float]) -> FigureRow:
    distinct = sorted({_short(value) for value in values})
    if len(distinct) == 1:
        return FigureRow(title, distinct[0], unit)
    return FigureRow(title, " or ".join(f"{value:g}" for value in distinct), unit)
