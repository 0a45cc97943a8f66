"""A system on a chip in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.soc.model import ProcessingUnit, Soc

_ABBREVIATED = 3  # letters
_AT_WORK = {"running", "active"}  # power states


def soc_words(soc: Soc) -> str:
    """Return the units with what is known of them, and the memory: "CPU 8 cores, 2 DLA; memory 136.5 GB/s".

    A part without units is named by its power states: "running 2 W".
    """
    parts = [", ".join(_unit_words(unit) for unit in soc.units.values())]
    if soc.memory:
        parts.append(f"memory {soc.memory.bandwidth_bytes_per_s() / 1e9:.4g} GB/s")
    if not soc.units:
        parts = [", ".join(f"{state} {power:.3g} W" for state, power in soc.power_states_w.items())]
    return "; ".join(part for part in parts if part)


def lacking_kinds(soc: Soc) -> tuple[str, ...]:
    """Return the kinds of figures that an estimate takes and that the document has of no unit, or of the memory.

    A device without units is a part: nothing is estimated on it. Units with a dataflow have their figures in it.
    """
    if not soc.units or soc.by_dataflow:
        return ()
    units = soc.units.values()
    kinds = {
        "peak": any(unit.operations_per_cycle for unit in units),
        "clock": any(unit.frequencies_hz for unit in units),
        "bandwidth": soc.memory is not None,
        "power": any(unit.power for unit in units) or bool(soc.design_power_w or _AT_WORK & soc.power_states_w.keys()),
    }
    return tuple(kind for kind, known in kinds.items() if not known)


def unit_title(name: str) -> str:
    """Return the title of a unit: "GPU" for "gpu", "DSA-k" for "dsa-k"; longer names start with a capital."""
    head, dash, rest = name.partition("-")
    return head.upper() + dash + rest if len(head) <= _ABBREVIATED else name.capitalize()


def _unit_words(unit: ProcessingUnit) -> str:
    title = unit_title(unit.name)
    counted = f"{unit.count} {title}" if unit.count > 1 else title
    cores = f" {unit.cores} cores" if unit.cores and unit.cores > 1 else ""
    clock = f" to {unit.frequencies_hz[-1] / 1e6:.4g} MHz" if unit.known_clocks_hz else ""
    return counted + cores + clock
