"""Reads hardware documents of schema `soc/1` into `Soc`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hardware.document_reader import check_ascending, contents_of, document_loader, sources_of_figures, validated
from hardware.errors import HardwareError
from hardware.soc.model import ActivePower, DataflowArray, PowerMode, ProcessingUnit, SharedMemory, Soc, UnitLimit
from hardware.soc.schema import DataflowSection, MemorySection, PowerModeSection, PowerSection, SocDocument, UnitSection
from hardware.units import GIB

DEVICES = Path(__file__).parent / "builtin"
KIB = 2**10
_ASCENDING = "ascending clocks"
_FIGURE_SECTIONS = (
    "process_node_nm",
    "design_power_w",
    "peak_tera_operations_per_s",
    "units",
    "memory",
    "power_modes",
    "power_states_mw",
    "idle_rails_mw",
)


def builtin_socs() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every device that ships with the product; read once per process."""
    return contents_of(DEVICES)


@document_loader
def load_soc(content: Mapping[str, Any], file: str) -> Soc:
    """Return the system on a chip that a document describes."""
    document = validated(SocDocument, content, file)
    _check_something_is_said(document, file)
    for name, unit in document.units.items():
        check_ascending(unit.frequencies_mhz, f"units.{name}.frequencies_mhz", file, _ASCENDING)
    if document.memory:
        check_ascending(document.memory.frequencies_mhz, "memory.frequencies_mhz", file, _ASCENDING)
    _check_dataflows(document, file)
    for name, mode in document.power_modes.items():
        _check_mode(mode, f"power_modes.{name}", document, file)
    return _build(document, sources_of_figures(document.sources, content, _FIGURE_SECTIONS, file))


def _check_something_is_said(document: SocDocument, file: str) -> None:
    if not document.units and not document.power_states_mw:
        raise HardwareError(file, "units", None, "given, or power_states_mw: a device is its units or its power states")


def _check_dataflows(document: SocDocument, file: str) -> None:
    """Check that one cost model prices all units: measurements and dataflows are not comparable."""
    with_dataflow = [name for name, unit in document.units.items() if unit.dataflow is not None]
    if not with_dataflow:
        return
    for name, unit in document.units.items():
        if unit.dataflow is None:
            accepted = f"given, as {with_dataflow[0]} has one: the dataflow cost model estimates all units or none"
            raise HardwareError(file, f"units.{name}.dataflow", None, accepted)
        if not unit.frequencies_mhz:
            raise HardwareError(
                file, f"units.{name}.frequencies_mhz", [], "at least one clock, as the unit has a dataflow"
            )
    if document.memory is None or document.memory.access_energy_pj_per_byte is None:
        accepted = "given, as units with a dataflow hand results over through the memory"
        raise HardwareError(file, "memory.access_energy_pj_per_byte", None, accepted)


def _check_mode(mode: PowerModeSection, key: str, document: SocDocument, file: str) -> None:
    for name, limit in mode.units.items():
        if name not in document.units:
            raise HardwareError(file, f"{key}.units.{name}", name, f"one of the units: {', '.join(document.units)}")
        cores = document.units[name].cores
        if limit.active_cores is not None and (cores is None or limit.active_cores > cores):
            accepted = f"at most {cores}, the cores of the unit" if cores else "left out, as the unit has no `cores`"
            raise HardwareError(file, f"{key}.units.{name}.active_cores", limit.active_cores, accepted)
    if mode.memory_highest_frequency_mhz is not None and document.memory is None:
        got = mode.memory_highest_frequency_mhz
        raise HardwareError(file, f"{key}.memory_highest_frequency_mhz", got, "left out, as the device has no `memory`")


def _build(document: SocDocument, sources: Mapping[str, str]) -> Soc:
    return Soc(
        slug=document.slug,
        title=document.title,
        units={name: _unit(name, section) for name, section in document.units.items()},
        memory=_memory(document.memory) if document.memory else None,
        power_modes={name: _mode(name, section) for name, section in document.power_modes.items()},
        process_node_nm=document.process_node_nm,
        design_power_w=document.design_power_w,
        peak_operations_per_s={name: peak * 1e12 for name, peak in document.peak_tera_operations_per_s.items()},
        power_states_w={name: power / 1e3 for name, power in document.power_states_mw.items()},
        idle_rails_w={name: power / 1e3 for name, power in document.idle_rails_mw.items()},
        sources=sources,
        lineage=tuple(document.lineage),
    )


def _unit(name: str, section: UnitSection) -> ProcessingUnit:
    memory_kib = section.on_chip_memory_kib
    return ProcessingUnit(
        name=name,
        kind=section.kind,
        count=section.count,
        cores=section.cores,
        frequencies_hz=_hertz(section.frequencies_mhz),
        operations_per_cycle={str(name): count for name, count in section.operations_per_cycle.items()},
        on_chip_memory_bytes=None if memory_kib is None else round(memory_kib * KIB),
        power=_power(section.power),
        supported_operations=None if section.supported_operations is None else frozenset(section.supported_operations),
        dataflow=_dataflow(section.dataflow) if section.dataflow else None,
    )


def _dataflow(section: DataflowSection) -> DataflowArray:
    return DataflowArray(
        section.mapping,
        section.processing_elements,
        section.bandwidth_elements_per_cycle,
        section.mac_energy_pj,
        section.off_chip_bandwidth_elements_per_cycle,
    )


def _memory(section: MemorySection) -> SharedMemory:
    return SharedMemory(
        frequencies_hz=_hertz(section.frequencies_mhz),
        bytes_per_cycle=section.bytes_per_cycle,
        capacities_bytes=tuple(round(capacity * GIB) for capacity in section.capacities_gib),
        power=_power(section.power),
        access_energy_pj_per_byte=section.access_energy_pj_per_byte,
    )


def _mode(name: str, section: PowerModeSection) -> PowerMode:
    limits = {
        unit: UnitLimit(limit.active_cores, _one_hertz(limit.highest_frequency_mhz))
        for unit, limit in section.units.items()
    }
    return PowerMode(name, section.budget_w, _one_hertz(section.memory_highest_frequency_mhz), limits)


def _power(section: PowerSection | None) -> ActivePower | None:
    return ActivePower(section.idle_w, section.dynamic_w, section.exponent) if section else None


def _hertz(frequencies_mhz: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(frequency * 1e6, 3) for frequency in frequencies_mhz)


def _one_hertz(frequency_mhz: float | None) -> float | None:
    return None if frequency_mhz is None else round(frequency_mhz * 1e6, 3)
