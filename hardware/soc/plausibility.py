"""Figures of a system on a chip that contradict each other or the standards of memory: slips that are common in data sheets.

Peaks with 2:4 sparsity are twice the dense ones, bandwidths in Gb/s eight times those in GB/s. Documents are asked when they are
stored: those that are stored already, and values that a what-if analysis changes, stay valid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hardware.document_reader import name_of, validated
from hardware.errors import HardwareError
from hardware.soc.schema import MemorySection, PowerModeSection, SocDocument, UnitSection

_BITS_PER_BYTE = 8
_AGREES, _ROUNDED = 1.25, 1.03
_SPARSE = 1.9  # of the dense peak: claims are rounded
# A narrower format next to the format of twice its bits: dense hardware is at most twice as fast with it.
_HALVES = (("int4", "int8"), ("fp4", "fp8"), ("int8", "fp16"), ("int8", "bf16"), ("fp8", "fp16"), ("fp8", "bf16"))
# Highest transfers a second of a pin (JEDEC; LPDDR5X and DDR5 with the fastest announced grades), in millions.
_FASTEST = {
    "DDR3": 2133, "LPDDR3": 2133, "DDR4": 3200, "LPDDR4": 4267, "LPDDR4X": 4267, "DDR5": 8800, "LPDDR5": 6400, "LPDDR5X": 10700,
}  # fmt: skip


def check_soc(content: Mapping[str, Any]) -> None:
    """Refuse a valid document whose figures contradict each other.

    Raises:
        HardwareError: names the figure, and what follows from the others.
    """
    file = name_of(content, None)
    document = validated(SocDocument, content, file)
    for name, unit in document.units.items():
        _check_peaks(unit, f"units.{name}", file)
    if document.memory:
        _check_memory(document.memory, file)
    for name, mode in document.power_modes.items():
        _check_clock_limits(mode, f"power_modes.{name}", document, file)


def _check_peaks(unit: UnitSection, key: str, file: str) -> None:
    peaks, clocks = unit.peak_tera_operations_per_s, unit.frequencies_mhz
    derived = {
        name: count * clocks[-1] / 1e6 for name, count in unit.operations_per_cycle.items() if clocks
    }  # 10^12 operations a second
    for name, peak in peaks.items():
        value = derived.get(name)
        if value is None or 1 / _AGREES < peak / value < _AGREES:
            continue
        words = f"about {value:.4g}, which {clocks[-1]:g} MHz and operations_per_cycle give"
        field = f"{key}.peak_tera_operations_per_s.{name}"
        raise HardwareError(file, field, peak, words, reason=_sparse_words(peak / value))
    section = "peak_tera_operations_per_s" if peaks else "operations_per_cycle"
    rates = peaks or unit.operations_per_cycle
    for narrow, wide in _HALVES:
        if unit.dense or narrow not in rates or wide not in rates or rates[narrow] <= 2 * rates[wide] * _AGREES:
            continue
        words = f"at most {2 * rates[wide]:.4g}, twice the rate in {wide}"
        reason, ways = _sparse_words(rates[narrow] / (2 * rates[wide])), [f"Set {key}.dense to true for a dense peak."]
        raise HardwareError(file, f"{key}.{section}.{narrow}", rates[narrow], words, reason=reason, remedies=ways)


def _check_memory(memory: MemorySection, file: str) -> None:
    bandwidth, derived = memory.bandwidth_gb_per_s, None
    if memory.frequencies_mhz and memory.bytes_per_cycle:
        derived = memory.frequencies_mhz[-1] * memory.bytes_per_cycle / 1e3
    if bandwidth is not None and derived is not None and not 1 / _AGREES < bandwidth / derived < _AGREES:
        words = f"about {derived:.4g} GB/s, which the highest clock and bytes_per_cycle give"
        raise HardwareError(file, "memory.bandwidth_gb_per_s", bandwidth, words, reason=_bits_words(bandwidth, derived))
    fastest = _fastest_mt_per_s(memory.type or "")
    if fastest is None:
        return
    if memory.frequencies_mhz and memory.frequencies_mhz[-1] * 2 > fastest * _ROUNDED:
        key, reason = f"memory.frequencies_mhz.{len(memory.frequencies_mhz) - 1}", "Shops print transfers in MT/s."
        words = f"at most {fastest / 2:g} MHz, half the transfers of {memory.type}"
        raise HardwareError(file, key, memory.frequencies_mhz[-1], words, reason=reason)
    if bandwidth is not None and derived is None and memory.bus_bits is not None:
        highest = fastest * memory.bus_bits / _BITS_PER_BYTE / 1e3
        if bandwidth > highest * _ROUNDED:
            words = f"at most {highest:.4g} GB/s, what {memory.bus_bits} bits of {memory.type} transfer"
            reason = _bits_words(bandwidth, highest)
            raise HardwareError(file, "memory.bandwidth_gb_per_s", bandwidth, words, reason=reason)


def _check_clock_limits(mode: PowerModeSection, key: str, document: SocDocument, file: str) -> None:
    for name, limit in mode.units.items():
        clocks = document.units[name].frequencies_mhz
        _check_limit(limit.highest_frequency_mhz, clocks, f"{key}.units.{name}.highest_frequency_mhz", file)
        for clock in limit.further_highest_frequencies_mhz:
            _check_limit(clock, clocks, f"{key}.units.{name}.further_highest_frequencies_mhz", file)
    clocks = (document.memory.frequencies_mhz or []) if document.memory else []
    _check_limit(mode.memory_highest_frequency_mhz, clocks, f"{key}.memory_highest_frequency_mhz", file)


def _check_limit(limit: float | None, clocks: Sequence[float], key: str, file: str) -> None:
    if limit is None or not clocks or clocks[0] / _ROUNDED <= limit <= clocks[-1] * _ROUNDED:
        return
    steps = f"{clocks[0]:g}" if len(clocks) == 1 else f"from {clocks[0]:g} to {clocks[-1]:g}"
    raise HardwareError(file, key, limit, f"{steps} MHz, the clock steps that the document lists")


def _fastest_mt_per_s(memory_type: str) -> int | None:
    """Return the most transfers a second of a pin, in millions, of the types that a text names; None for one not known."""
    names = re.findall(r"LPDDR\d[Xx]?|DDR\d|(?<=/)\d[Xx]?", memory_type)
    # "LPDDR4/4X": the prefix counts for what follows.
    rates = [_FASTEST.get((name if name[0] in "LD" else f"LPDDR{name}").upper()) for name in names]
    known = [rate for rate in rates if rate is not None]
    return max(known) if known and len(known) == len(rates) else None


def _sparse_words(ratio: float) -> str:
    return "Twice the dense peak is the figure with 2:4 sparsity." if ratio >= _SPARSE else ""


def _bits_words(got: float, value: float) -> str:
    return f"{got:g} Gb/s are {got / _BITS_PER_BYTE:.4g} GB/s." if got / value > _BITS_PER_BYTE / 2 else ""
