"""Reads hardware documents of schema `soc/1` into `Soc`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hardware.document_reader import check_ascending, contents_of, document_loader, validated
from hardware.errors import HardwareError
from hardware.soc.board_documents import board_contents
from hardware.soc.model import (
    NOMINAL_CLOCK_HZ,
    ActivePower,
    DataflowArray,
    PowerMode,
    ProcessingUnit,
    SharedMemory,
    Soc,
    UnitLimit,
)
from hardware.soc.schema import DataflowSection, MemorySection, PowerModeSection, PowerSection, SocDocument, UnitSection
from hardware.sources import spread_confidence, spread_sources
from hardware.units import GIB
from hardware.validation import figures_of

DEVICES = Path(__file__).parent / "builtin"
KIB = 2**10
_ASCENDING = "ascending clocks"
_FIGURE_SECTIONS = (
    "year",
    "price_usd",
    "power_range_w",
    "process_node_nm",
    "design_power_w",
    "peak_tera_operations_per_s",
    "units",
    "memory",
    "power_modes",
    "power_states_mw",
    "idle_rails_mw",
)
_WITHOUT_SOURCE = ("title", "note", "dense", "is_default")


@cache
def builtin_socs() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every device that ships with the product; read once per process.

    Boards of tables fill what the documents written by hand lack.
    """
    return MappingProxyType(board_contents(contents_of(DEVICES)))


@cache
def soc_aliases() -> Mapping[str, str]:
    """Return other slug -> slug of every built-in device that has one."""
    return MappingProxyType({
        alias: slug for slug, content in builtin_socs().items() for alias in content.get("aliases", ())
    })  # fmt: skip


@document_loader
def load_soc(content: Mapping[str, Any], file: str) -> Soc:
    """Return the system on a chip that a document describes."""
    document = validated(SocDocument, content, file)
    _check_something_is_said(document, file)
    for name, unit in document.units.items():
        check_ascending(unit.frequencies_mhz, f"units.{name}.frequencies_mhz", file, _ASCENDING)
    if document.memory:
        check_ascending(document.memory.frequencies_mhz or (), "memory.frequencies_mhz", file, _ASCENDING)
        _check_memory(document.memory, file)
    _check_dataflows(document, file)
    for name, mode in document.power_modes.items():
        _check_mode(mode, f"power_modes.{name}", document, file)
    figures = [key for key in figures_of(content, _FIGURE_SECTIONS) if key.rpartition(".")[2] not in _WITHOUT_SOURCE]
    sources = spread_sources(document.sources, figures, file)
    return _build(document, sources, spread_confidence(document.confidence, document.sources, figures, file))


_BOTH = "Clock and bytes per cycle together give the bandwidth."


def _check_memory(memory: MemorySection, file: str) -> None:
    if memory.frequencies_mhz and memory.bytes_per_cycle is None and memory.bus_bits is None:
        raise HardwareError(file, "memory.bytes_per_cycle", None, "a number in B/cycle", reason=_BOTH)
    if memory.bytes_per_cycle and not memory.frequencies_mhz:
        raise HardwareError(file, "memory.frequencies_mhz", None, "a list of clocks in MHz", reason=_BOTH)


def _check_something_is_said(document: SocDocument, file: str) -> None:
    if not document.units and not document.power_states_mw:
        reason = "A device needs compute units or power states."
        raise HardwareError(file, "units", None, "given, or power_states_mw given", reason=reason)


def _check_dataflows(document: SocDocument, file: str) -> None:
    """Check that one cost model prices all units: measurements and dataflows are not comparable."""
    with_dataflow = [name for name, unit in document.units.items() if unit.dataflow is not None]
    if not with_dataflow:
        return
    for name, unit in document.units.items():
        if unit.dataflow is None:
            accepted = "given"
            reason = f"The unit {with_dataflow[0]} has a dataflow, so all units need one."
            raise HardwareError(file, f"units.{name}.dataflow", None, accepted, reason=reason)
        if not unit.frequencies_mhz:
            reason = "A unit with a dataflow needs a clock."
            raise HardwareError(file, f"units.{name}.frequencies_mhz", [], "at least one clock", reason=reason)
    if document.memory is None or document.memory.access_energy_pj_per_byte is None:
        accepted = "given"
        reason = "Units with a dataflow transfer results through the memory."
        raise HardwareError(file, "memory.access_energy_pj_per_byte", None, accepted, reason=reason)


def _check_mode(mode: PowerModeSection, key: str, document: SocDocument, file: str) -> None:
    for name, limit in mode.units.items():
        if name not in document.units:
            raise HardwareError(file, f"{key}.units.{name}", name, f"one of the units: {', '.join(document.units)}")
        cores, further = document.units[name].cores, len(limit.further_highest_frequencies_mhz)
        if further and further != document.units[name].count - 1:
            accepted = f"one clock for each further unit, {document.units[name].count - 1} in all"
            raise HardwareError(file, f"{key}.units.{name}.further_highest_frequencies_mhz", further, accepted)
        if limit.active_cores is not None and (cores is None or limit.active_cores > cores):
            accepted = f"at most {cores}, the cores of the unit" if cores else "left out, as the unit has no `cores`"
            raise HardwareError(file, f"{key}.units.{name}.active_cores", limit.active_cores, accepted)
    if mode.memory_highest_frequency_mhz is not None and document.memory is None:
        got = mode.memory_highest_frequency_mhz
        raise HardwareError(file, f"{key}.memory_highest_frequency_mhz", got, "left out, as the device has no `memory`")


def _build(document: SocDocument, sources: Mapping[str, str], confidence: Mapping[str, str]) -> Soc:
    memory = document.memory
    capacities = memory.capacities_gib if memory else ()
    return Soc(
        slug=document.slug,
        title=document.title,
        units={name: _unit(name, section) for name, section in document.units.items()},
        memory=_memory(memory) if memory else None,
        power_modes={name: _mode(name, section) for name, section in document.power_modes.items()},
        process_node_nm=document.process_node_nm,
        design_power_w=document.design_power_w,
        peak_operations_per_s={name: peak * 1e12 for name, peak in document.peak_tera_operations_per_s.items()},
        power_states_w={name: power / 1e3 for name, power in document.power_states_mw.items()},
        idle_rails_w={name: power / 1e3 for name, power in document.idle_rails_mw.items()},
        sources=sources,
        lineage=tuple(document.lineage),
        confidence=confidence,
        not_published=tuple(document.not_published),
        vendor=document.vendor or "",
        year=document.year,
        price_usd=document.price_usd or "",
        memory_type=(memory.type or "") if memory else "",
        bus_bits=memory.bus_bits if memory else None,
        sold_capacities_bytes=tuple(round(capacity * GIB) for capacity in capacities),
        aliases=tuple(document.aliases),
    )


def _unit(name: str, section: UnitSection) -> ProcessingUnit:
    memory_kib, clocks, peaks = section.on_chip_memory_kib, section.frequencies_mhz, section.peak_tera_operations_per_s
    frequencies = _hertz(clocks) or ((NOMINAL_CLOCK_HZ,) if peaks else ())
    per_cycle = {name: peak * 1e12 / frequencies[-1] for name, peak in peaks.items()}
    unpack = section.unpack_operations_per_weight
    return ProcessingUnit(
        name=name,
        kind=section.kind,
        count=section.count,
        cores=section.cores,
        frequencies_hz=frequencies,
        operations_per_cycle={**per_cycle, **section.operations_per_cycle},
        on_chip_memory_bytes=None if memory_kib is None else round(memory_kib * KIB),
        power=_power(section.power),
        supported_operations=None if section.supported_operations is None else frozenset(section.supported_operations),
        dataflow=_dataflow(section.dataflow) if section.dataflow else None,
        label=section.title or "",
        clock_known=bool(clocks) or not peaks,
        vendor_claim=section.vendor_claim or "",
        note=section.note or "",
        **({} if unpack is None else {"unpack_operations_per_weight": unpack}),
    )


def _dataflow(section: DataflowSection) -> DataflowArray:
    return DataflowArray(
        section.mapping,
        section.processing_elements,
        section.bandwidth_elements_per_cycle,
        section.mac_energy_pj,
        section.off_chip_bandwidth_elements_per_cycle,
    )


def _memory(section: MemorySection) -> SharedMemory | None:
    """Return the shared memory; None where its bandwidth is not known."""
    clocks, bandwidth = section.frequencies_mhz, section.bandwidth_gb_per_s
    if not clocks and bandwidth is None:
        return None
    # Both edges of the clock transfer data.
    per_cycle = section.bytes_per_cycle or (section.bus_bits / 4 if section.bus_bits else None)
    derived = (bandwidth or 0.0) * 1e9 / per_cycle if per_cycle else NOMINAL_CLOCK_HZ
    return SharedMemory(
        frequencies_hz=_hertz(clocks) if clocks else (round(derived, 3),),
        bytes_per_cycle=per_cycle or (bandwidth or 0.0) * 1e9 / NOMINAL_CLOCK_HZ,
        capacities_bytes=tuple(round(capacity * GIB) for capacity in section.capacities_gib),
        power=_power(section.power),
        access_energy_pj_per_byte=section.access_energy_pj_per_byte,
        clock_known=bool(clocks),
    )


def _mode(name: str, section: PowerModeSection) -> PowerMode:
    limits = {
        unit: UnitLimit(
            limit.active_cores, _one_hertz(limit.highest_frequency_mhz), _hertz(limit.further_highest_frequencies_mhz)
        )
        for unit, limit in section.units.items()
    }
    highest = _one_hertz(section.memory_highest_frequency_mhz)
    others = dict(zip(section.other_clocks_mhz, _hertz([*section.other_clocks_mhz.values()]), strict=True))
    return PowerMode(name, section.budget_w, highest, limits, section.is_default, others)


def _power(section: PowerSection | None) -> ActivePower | None:
    return ActivePower(section.idle_w, section.dynamic_w, section.exponent) if section else None


def _hertz(frequencies_mhz: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(frequency * 1e6, 3) for frequency in frequencies_mhz)


def _one_hertz(frequency_mhz: float | None) -> float | None:
    return None if frequency_mhz is None else round(frequency_mhz * 1e6, 3)
