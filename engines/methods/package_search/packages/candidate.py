"""A package of the search: its decisions, and the hardware that they make of the given package.

Chiplets of a dataflow take all other figures (on-chip network, buffer) from the given package's first chiplet of that dataflow,
or from its first chiplet where it has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engines.contract.errors import DecisionError
from hardware.package.model import DATAFLOWS, Chiplet, ChipletPackage
from hardware.package.schema import SIDES

GIGA = 1e9
_LEAST_PES = 16  # one cluster of the output stationary mapping


@dataclass(frozen=True)
class Candidate:
    """The choices of one package; chiplets in row-major order.

    Attributes:
        dataflows, processing_elements: per chiplet.
        link_bandwidth_gb_per_s: per link and direction.
        memory_bandwidth_gb_per_s: per memory interface.
        interface_sides: in the order of `hardware.package.schema.SIDES`.
    """

    dataflows: tuple[str, ...]
    processing_elements: tuple[int, ...]
    link_bandwidth_gb_per_s: float
    memory_bandwidth_gb_per_s: float
    interface_sides: tuple[str, ...]


def candidate_of(package: ChipletPackage) -> Candidate:
    """Return the choices that make up a package."""
    return Candidate(
        tuple(chiplet.dataflow for chiplet in package.chiplets),
        tuple(chiplet.processing_elements for chiplet in package.chiplets),
        package.network.bandwidth_bytes_per_s / GIGA,
        package.memory.bandwidth_bytes_per_s / GIGA,
        in_order(package.memory.sides),
    )


def in_order(sides: Sequence[str]) -> tuple[str, ...]:
    """Return the sides in their usual order."""
    return tuple(side for side in SIDES if side in sides)


def model_chiplet(base: ChipletPackage, dataflow: str) -> Chiplet:
    """Return the chiplet of the given package that chiplets of `dataflow` are made after."""
    return next((chiplet for chiplet in base.chiplets if chiplet.dataflow == dataflow), base.chiplets[0])


def build_package(base: ChipletPackage, candidate: Candidate) -> ChipletPackage:
    """Return the given package with the choices of `candidate`."""
    chiplets = tuple(
        replace(
            model_chiplet(base, dataflow),
            index=place.index,
            row=place.row,
            column=place.column,
            dataflow=dataflow,
            processing_elements=count,
        )
        for place, dataflow, count in zip(
            base.chiplets, candidate.dataflows, candidate.processing_elements, strict=True
        )
    )
    network = replace(base.network, bandwidth_bytes_per_s=candidate.link_bandwidth_gb_per_s * GIGA)
    memory = replace(
        base.memory,
        bandwidth_bytes_per_s=candidate.memory_bandwidth_gb_per_s * GIGA,
        sides=candidate.interface_sides,
    )
    return replace(base, chiplets=chiplets, network=network, memory=memory)


def layout_text(base: ChipletPackage, candidate: Candidate) -> str:
    """Return the rows of first letters, apart by " / ": "N S N / N S N"; with sizes where they are mixed: "N1024 S256"."""
    mixed = len(set(candidate.processing_elements)) > 1
    names = [
        dataflow[0].upper() + (str(count) if mixed else "")
        for dataflow, count in zip(candidate.dataflows, candidate.processing_elements, strict=True)
    ]
    return " / ".join(" ".join(names[row * base.columns : (row + 1) * base.columns]) for row in range(base.rows))


def encode_candidate(candidate: Candidate) -> dict[str, Any]:
    """Return the choices as a JSON-able mapping."""
    return {
        "dataflows": list(candidate.dataflows),
        "processing_elements": list(candidate.processing_elements),
        "link_bandwidth_gb_per_s": candidate.link_bandwidth_gb_per_s,
        "memory_bandwidth_gb_per_s": candidate.memory_bandwidth_gb_per_s,
        "interface_sides": list(candidate.interface_sides),
    }


def decode_candidate(value: Any, chiplets: int) -> Candidate:
    """Return the choices of a mapping, for a package of that many chiplets.

    Raises:
        DecisionError: something is missing or of the wrong kind.
    """
    at = "decision.package"
    if not isinstance(value, Mapping):
        raise DecisionError(at, value, f"a mapping with {', '.join(Candidate.__dataclass_fields__)}")
    dataflows = _list(value, "dataflows", chiplets)
    if any(dataflow not in DATAFLOWS for dataflow in dataflows):
        raise DecisionError(f"{at}.dataflows", dataflows, f"{chiplets} of {', '.join(DATAFLOWS)}")
    counts = _list(value, "processing_elements", chiplets)
    if any(not isinstance(count, int) or isinstance(count, bool) or count < _LEAST_PES for count in counts):
        raise DecisionError(f"{at}.processing_elements", counts, f"{chiplets} whole numbers from {_LEAST_PES} on")
    sides = value.get("interface_sides")
    if not isinstance(sides, list | tuple) or not sides or any(side not in SIDES for side in sides):
        raise DecisionError(f"{at}.interface_sides", sides, f"a list of at least one of {', '.join(SIDES)}")
    return Candidate(
        tuple(dataflows),
        tuple(counts),
        _positive(value, "link_bandwidth_gb_per_s"),
        _positive(value, "memory_bandwidth_gb_per_s"),
        in_order(sides),
    )


def _list(value: Mapping[str, Any], key: str, length: int) -> list[Any]:
    found = value.get(key)
    if not isinstance(found, list | tuple) or len(found) != length:
        raise DecisionError(f"decision.package.{key}", found, f"a list of {length}, one per chiplet")
    return list(found)


def _positive(value: Mapping[str, Any], key: str) -> float:
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found < float("inf"):
        raise DecisionError(f"decision.package.{key}", found, "a number above 0")
    return float(found)
