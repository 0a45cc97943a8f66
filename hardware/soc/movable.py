"""Values of a system on a chip that a what-if analysis can change: memory width, and clock, speed, memory, power of each unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardware.movable import Movable, scaled

# What a unit states of its speed: the first that it has counts.
_SPEEDS = (("operations_per_cycle", "operations per cycle", ""), ("peak_tera_operations_per_s", "peak", "TOP/s"))


def soc_figures(content: Mapping[str, Any]) -> tuple[Movable, ...]:
    """Return the figures of a document of the schema `soc/1`: clocks first, powers last."""
    found = list(_of_memory(content))
    for name, unit in content.get("units", {}).items():
        found += _of_unit(content, name, unit)
    first = [figure for figure in found if figure.name.startswith("clock-")]
    last = [figure for figure in found if figure.unit == "W"]
    return (*first, *(figure for figure in found if figure not in first and figure not in last), *last)


def _of_memory(content: Mapping[str, Any]) -> Iterator[Movable]:
    memory = content.get("memory") or {}
    stated = [key for key in ("bytes_per_cycle", "bandwidth_gb_per_s") if key in memory]
    if stated:
        in_unit = "B/cycle" if stated[0] == "bytes_per_cycle" else "GB/s"
        yield scaled("memory-width", "Memory bandwidth", in_unit, content, *(f"memory.{key}" for key in stated))
    yield from _of_power(content, "memory", "Memory", memory)


def _of_unit(content: Mapping[str, Any], name: str, unit: Mapping[str, Any]) -> Iterator[Movable]:
    key, title = f"units.{name}", name.upper() if len(name) < 4 else name.capitalize()
    if unit.get("frequencies_mhz"):
        yield scaled(f"clock-{name}", f"{title}: highest clock", "MHz", content, f"{key}.frequencies_mhz")
    for figure, words, in_unit in _SPEEDS:
        speeds = unit.get(figure) or {}
        if speeds:
            keys = [f"{key}.{figure}.{precision}" for precision in speeds]
            others = ", others in proportion" if len(keys) > 1 else ""
            yield scaled(f"speed-{name}", f"{title}: {words} ({next(iter(speeds))}{others})", in_unit, content, *keys)
            break
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
