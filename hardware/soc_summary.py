"""A system on a chip in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.soc import ProcessingUnit, Soc


def soc_words(soc: Soc) -> str:
    """Units with what is known of them, and the memory: "cpu 8 cores, 2 dla; memory 136.5 GB/s".

    A part without units is named by its power states: "running 2 W".
    """
    parts = [", ".join(_unit_words(unit) for unit in soc.units.values())]
    if soc.memory:
        parts.append(f"memory {soc.memory.bandwidth_bytes_per_s() / 1e9:.4g} GB/s")
    if not soc.units:
        parts = [", ".join(f"{state} {power:.3g} W" for state, power in soc.power_states_w.items())]
    return "; ".join(part for part in parts if part)


def _unit_words(unit: ProcessingUnit) -> str:
    counted = f"{unit.count} {unit.name}" if unit.count > 1 else unit.name
    cores = f" {unit.cores} cores" if unit.cores and unit.cores > 1 else ""
    clock = f" to {unit.frequencies_hz[-1] / 1e6:.4g} MHz" if unit.frequencies_hz else ""
    return counted + cores + clock
