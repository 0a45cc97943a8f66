"""What may be moved of a system on a chip: the memory's width, and of each unit its speed, its memory and its power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardware.movable import Movable, scaled


def soc_figures(content: Mapping[str, Any]) -> tuple[Movable, ...]:
    """Return the figures of a document of the schema `soc/1`; clocks stay, as designs are set to them."""
    found = list(_of_memory(content))
    for name, unit in content.get("units", {}).items():
        found += _of_unit(content, name, unit)
    return tuple(found)


def _of_memory(content: Mapping[str, Any]) -> Iterator[Movable]:
    memory = content.get("memory") or {}
    if "bytes_per_cycle" in memory:
        yield scaled("memory-width", "Memory bandwidth", "B/cycle", content, "memory.bytes_per_cycle")
    yield from _of_power(content, "memory", "Memory", memory)


def _of_unit(content: Mapping[str, Any], name: str, unit: Mapping[str, Any]) -> Iterator[Movable]:
    key, title = f"units.{name}", name.upper() if len(name) < 4 else name.capitalize()
    speeds = unit.get("operations_per_cycle") or {}
    if speeds:
        keys = [f"{key}.operations_per_cycle.{precision}" for precision in speeds]
        words = f"{title}: operations per cycle, {next(iter(speeds))}"
        yield scaled(f"speed-{name}", words, "", content, *keys)
    dataflow = unit.get("dataflow") or {}
    if "processing_elements" in dataflow:
        elements = f"{key}.dataflow.processing_elements"
        yield scaled(f"elements-{name}", f"{title}: processing elements", "", content, elements, whole=True, least=1)
        network = f"{key}.dataflow.bandwidth_elements_per_cycle"
        yield scaled(f"network-{name}", f"{title}: on-chip network", "elements/cycle", content, network)
    if unit.get("on_chip_memory_kib"):
        yield scaled(f"memory-{name}", f"{title}: on-chip memory", "KiB", content, f"{key}.on_chip_memory_kib")
    yield from _of_power(content, key, title, unit)


def _of_power(content: Mapping[str, Any], key: str, title: str, part: Mapping[str, Any]) -> Iterator[Movable]:
    power = part.get("power") or {}
    for name, words in (("dynamic_w", "dynamic power"), ("idle_w", "idle power")):
        if power.get(name):
            short = f"{name.removesuffix('_w')}-{key.rpartition('.')[2]}"
            yield scaled(short, f"{title}: {words}", "W", content, f"{key}.power.{name}")
