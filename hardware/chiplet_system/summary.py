"""A system of IP blocks in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.chiplet_system.model import ChipletSystem


def chiplet_system_words(system: ChipletSystem) -> str:
    """Return blocks, silicon, applications: "12 blocks, 48 mm² of silicon, 6 applications"."""
    area = sum(block.area_mm2 for block in system.blocks.values())
    count = len(system.applications)
    return f"{len(system.blocks)} blocks, {area:.4g} mm² of silicon, {count} application{'s' if count != 1 else ''}"
