"""Values of a package that a what-if analysis can change: bandwidths, memory interfaces, clock, array and buffer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware.movable import Movable, scaled
from hardware.package.schema import SIDES

_LEAST_ELEMENTS = 16  # of a chiplet


def package_figures(content: Mapping[str, Any]) -> tuple[Movable, ...]:
    """Return the figures of a document of the schema `chiplet-package/1`."""
    sides = list(content["off_chip_memory"]["interface_sides"])
    figures = [
        scaled("link-bandwidth", "Link bandwidth", "GB/s", content, "network_on_package.bandwidth_gb_per_s"),
        scaled(
            "memory-bandwidth", "Memory bandwidth per interface", "GB/s", content,
            "off_chip_memory.bandwidth_gb_per_s_per_interface",
        ),
        _interfaces(sides),
        scaled("clock", "Clock", "MHz", content, "clock_mhz"),
    ]  # fmt: skip
    for name, chiplet in content["chiplets"].items():
        of = f"{chiplet['dataflow'].upper() if len(chiplet['dataflow']) < 6 else chiplet['dataflow'].capitalize()} ({name})"
        key = f"chiplets.{name}"
        figures += [
            scaled(
                f"elements-{name}", f"Processing elements, {of}", "", content, f"{key}.processing_elements", whole=True,
                least=_LEAST_ELEMENTS,
            ),
            scaled(f"buffer-{name}", f"Shared buffer, {of}", "MiB", content, f"{key}.buffer_mib"),
        ]  # fmt: skip
    return tuple(figures)


def _interfaces(sides: list[str]) -> Movable:
    """Return the number of sides with memory interfaces: fewer are the first of the package, more are added in a fixed order."""
    order = [*sides, *(side for side in SIDES if side not in sides)]
    choices = tuple(order[:count] for count in range(1, len(order) + 1))
    return Movable(
        "sides", "Sides with memory interfaces", "", len(sides), 1, len(order), ("off_chip_memory.interface_sides",),
        log=False, whole=True, choices=choices,
    )  # fmt: skip
