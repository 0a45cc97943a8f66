"""Silicon area of a chiplet package, in mm2.

Chiplets: area = fixed + per multiply-accumulate unit + per KiB of shared buffer, fitted by least squares to the seven rows that
NVIDIA publishes for NVDLA in 28 nm (synthesised area with all memories). Links: transceivers for as many wires as the bandwidth
needs, at both ends. Memory interfaces: in proportion to bandwidth. Data, with the source of each figure: `area.yaml`.

The dataflow makes no difference: no published figure tells NVDLA-like and Shi-diannao-like arrays of one size apart. Other nodes
than 28 nm: chiplets scale with the square of the node's name, links and interfaces do not scale; nothing checks that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from hardware.documents import load_yaml
from hardware.package.model import ChipletPackage

PARTS = ("Chiplets, fixed", "Processing elements", "Shared buffers", "Links", "Memory interfaces")

_KIB = 1024
_MM2_PER_UM2 = 1e-6


@dataclass(frozen=True)
class AreaCoefficients:
    """The coefficients of the area model, for `process_node_nm` and words of `word_bytes`.

    Attributes:
        fixed_mm2: fixed area of every chiplet.
        mac_mm2: area per processing element.
        buffer_mm2_per_kib: area per KiB of shared buffer.
        wire_mm2, clock_mm2: area per end of a wire, and per end of a bundle of wires.
        wire_bytes_per_s: bandwidth of one wire.
        interface_mm2_per_byte_per_s: area of a memory interface per bandwidth.
    """

    fixed_mm2: float
    mac_mm2: float
    buffer_mm2_per_kib: float
    wire_mm2: float
    clock_mm2: float
    wire_bytes_per_s: float
    interface_mm2_per_byte_per_s: float
    process_node_nm: float
    word_bytes: int


@dataclass(frozen=True)
class FitRow:
    """A published area next to the fitted one or, for the check, the predicted one."""

    title: str
    published_mm2: float
    ours_mm2: float

    @property
    def error_percent(self) -> float:
        """The error of the computed area relative to the published one, in per cent."""
        return (self.ours_mm2 / self.published_mm2 - 1.0) * 100.0


@cache
def area_data() -> dict[str, Any]:
    """Return the published figures, read once."""
    return load_yaml(Path(__file__).with_suffix(".yaml"))


@cache
def area_coefficients() -> AreaCoefficients:
    """Return the fitted and the published coefficients."""
    data = area_data()
    rows = data["accelerators"]["rows"]
    fixed, mac, kib = least_squares([(1, macs, kib) for macs, kib, _ in rows], [area_mm2 for *_, area_mm2 in rows])
    links, interfaces = data["links"], data["interfaces"]
    return AreaCoefficients(
        fixed_mm2=fixed,
        mac_mm2=mac,
        buffer_mm2_per_kib=kib,
        wire_mm2=links["wire_area_um2"] * _MM2_PER_UM2,
        clock_mm2=links["clock_area_um2"] * _MM2_PER_UM2,
        wire_bytes_per_s=links["wire_gb_per_s"] * 1e9,
        interface_mm2_per_byte_per_s=interfaces["die_area_mm2"]
        * interfaces["share"]
        / (interfaces["bandwidth_gb_per_s"] * 1e9),
        process_node_nm=data["process_node_nm"],
        word_bytes=data["word_bytes"],
    )


def least_squares(design: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Return the coefficients that meet `values` best, from the normal equations in fractions.

    Exact: a library's routine may give other last digits with another number of threads, and areas must be the same everywhere.
    """
    rows = [[Fraction(str(entry)) for entry in row] for row in design]
    size = len(rows[0])
    system = [
        [sum((row[i] * row[j] for row in rows), Fraction(0)) for j in range(size)]
        + [sum((row[i] * Fraction(str(value)) for row, value in zip(rows, values, strict=True)), Fraction(0))]
        for i in range(size)
    ]
    for i in range(size):
        pivot = next(k for k in range(i, size) if system[k][i] != 0)
        system[i], system[pivot] = system[pivot], system[i]
        system[i] = [entry / system[i][i] for entry in system[i]]
        for k in range(size):
            if k != i:
                system[k] = [own - system[k][i] * other for own, other in zip(system[k], system[i], strict=True)]
    return [float(row[-1]) for row in system]


def fit_rows() -> tuple[FitRow, ...]:
    """Return all fitted rows, followed by the die that was held out of the fit."""
    one = area_coefficients()
    found = []
    for macs, kib, published in area_data()["accelerators"]["rows"]:
        found.append(FitRow(f"NVDLA {macs} MACs, {kib} KiB (fitted)", published, _array_mm2(one, macs, kib)))
    check = area_data()["check"]
    ours = _array_mm2(one, check["macs"], check["buffer_kib"])
    return (*found, FitRow(f"{check['title']} (predicted)", check["area_mm2"], ours))


def _array_mm2(one: AreaCoefficients, macs: float, kib: float) -> float:
    return one.fixed_mm2 + macs * one.mac_mm2 + kib * one.buffer_mm2_per_kib


def package_area_parts_mm2(package: ChipletPackage) -> FloatArray:
    """Return the area of each of `PARTS`, chiplet by chiplet, shape `chiplets x parts`.

    A link's two ends belong to its two chiplets.
    """
    one = area_coefficients()
    scale = (package.process_node_nm / one.process_node_nm) ** 2
    wires = math.ceil(package.network.bandwidth_bytes_per_s / one.wire_bytes_per_s - 1e-9)
    # Out and in: a mesh link is a bundle each way, so that a chiplet holds one sending and one receiving end of it.
    link_end_mm2 = 2 * (wires * one.wire_mm2 + one.clock_mm2)
    interface_mm2 = package.memory.bandwidth_bytes_per_s * one.interface_mm2_per_byte_per_s
    rows = [
        (
            one.fixed_mm2 * scale,
            chiplet.processing_elements * one.mac_mm2 * scale,
            chiplet.buffer_bytes / _KIB * one.buffer_mm2_per_kib * scale,
            len(package.neighbours(chiplet.index)) * link_end_mm2,
            interface_mm2 if package.has_interface(chiplet.index) else 0.0,
        )
        for chiplet in package.chiplets
    ]
    return np.array(rows)


def package_area_mm2(package: ChipletPackage) -> float:
    """Return the silicon area of all chiplets in mm², the sum of `package_area_parts_mm2`."""
    # Sorted, so that mirrored packages have the same area to the last bit.
    return float(np.sort(package_area_parts_mm2(package).ravel()).sum())
