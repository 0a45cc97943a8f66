"""The memories of an accelerator of ZigZag: their figures per bit, and which level each is of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardware.errors import HardwareError

_HIGHEST = 1e15  # far beyond any memory
OPERANDS = ("I1", "I2", "O")  # inputs, weights, outputs


@dataclass(frozen=True)
class Memory:
    """One memory of a file; energies are per bit, the mean of reading and writing."""

    name: str
    size_bits: int
    read_bits_per_cycle: float
    energy_pj_per_bit: float
    latency_cycles: float
    operands: frozenset[str]
    serves: frozenset[str]


def read_memory(name: str, entry: Any, file: str) -> Memory:
    """Return a memory of a file.

    Raises:
        HardwareError: a figure that is missing or is no number.
    """
    place = f"memories.{name}"
    if not isinstance(entry, Mapping):
        raise HardwareError(file, place, entry, "a mapping with size, costs, operands and served_dimensions")
    if entry.get("auto_cost_extraction") or entry.get("r_cost") is None or entry.get("w_cost") is None:
        words = "a cost in pJ per access"
        reason = "CACTI, the source of this cost in ZigZag, does not run here."
        raise HardwareError(file, f"{place}.r_cost", entry.get("r_cost"), words, reason=reason)
    reads, writes = _bandwidth(entry, "r", place, file), _bandwidth(entry, "w", place, file)
    costs = (
        number(entry, "r_cost", place, file, least=0) / reads,
        number(entry, "w_cost", place, file, least=0) / writes,
    )
    operands, served = _texts(entry, "operands", place, file), _texts(entry, "served_dimensions", place, file)
    latency = number(entry, "latency", place, file, least=0)
    size = number(entry, "size", place, file)
    return Memory(
        name, int(size), reads, sum(costs) / 2, latency, frozenset(operands) & set(OPERANDS), frozenset(served)
    )


def _bandwidth(entry: Mapping[str, Any], way: str, place: str, file: str) -> float:
    """Return the bits per cycle of one port: `r_bw`, or the widest port of that way in the newer form."""
    if f"{way}_bw" in entry:
        return number(entry, f"{way}_bw", place, file)
    ports = entry.get("ports")
    kinds = ("read" if way == "r" else "write", "read_write")
    widths = [
        number(port, "bandwidth_max", f"{place}.ports.{place_of}", file)
        for place_of, port in enumerate(ports if isinstance(ports, list) else ())
        if isinstance(port, Mapping) and port.get("type") in kinds
    ]
    if not widths:
        raise HardwareError(
            file, f"{place}.ports", ports, f"{way}_bw, or a port of type {' or '.join(kinds)} with bandwidth_max"
        )
    return max(widths)


def levels(
    memories: Sequence[Memory], dimensions: frozenset[str], file: str
) -> tuple[Memory, list[Memory], list[Memory], list[Memory]]:
    """Return DRAM, shared buffers, memories of each processing element, and all others; files list them from the inside out.

    Raises:
        HardwareError: no DRAM, or no buffer that serves the whole array.
    """
    if not memories:
        raise HardwareError(file, "memories", {}, "memories from the registers to DRAM")
    dram = memories[-1]
    lacking = set(OPERANDS) - dram.operands
    if lacking:
        reason = "The last memory is DRAM."
        accepted = "I1, I2 and O"
        raise HardwareError(file, f"memories.{dram.name}.operands", sorted(dram.operands), accepted, reason=reason)
    inner = [each for each in memories[:-1] if each.operands]
    shared: list[Memory] = []
    for operand in OPERANDS:
        holding = [each for each in inner if operand in each.operands and each.serves >= dimensions]
        if holding and holding[-1] not in shared:
            shared.append(holding[-1])
    if not shared:
        raise HardwareError(
            file, "memories", [each.name for each in inner], f"a memory that serves {', '.join(sorted(dimensions))}"
        )
    private = [each for each in inner if not each.serves]
    others = [each for each in memories[:-1] if each not in shared and each not in private]
    return dram, shared, private, others


def mean_energy(memories: Sequence[Memory]) -> float:
    """Return the PJ per bit, the mean over inputs, weights and outputs of those that hold them; 0 without memories."""
    found = []
    for operand in OPERANDS:
        holding = [each.energy_pj_per_bit for each in memories if operand in each.operands]
        found += holding[:1]
    return sum(found) / len(found) if found else 0.0


def mapping(content: Mapping[str, Any], key: str, file: str) -> Mapping[str, Any]:
    """Return the mapping below a key.

    Raises:
        HardwareError: there is none.
    """
    found = content.get(key)
    if not isinstance(found, Mapping):
        raise HardwareError(file, key, found, "a mapping")
    return found


def number(entry: Mapping[str, Any], key: str, place: str, file: str, *, least: float | None = None) -> float:
    """Return a finite number above 0, or from `least` on.

    Raises:
        HardwareError: it is another thing.
    """
    value: Any = entry.get(key)
    fits = type(value) in (int, float) and math.isfinite(value) and (value > 0 if least is None else value >= least)
    if not fits or value > _HIGHEST:
        words = "a number above 0" if least is None else f"a number from {least:g} on"
        raise HardwareError(file, f"{place}.{key}", value, words)
    return float(value)


def _texts(entry: Mapping[str, Any], key: str, place: str, file: str) -> list[str]:
    found = entry.get(key)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise HardwareError(file, f"{place}.{key}", found, "a list of names")
    return found
