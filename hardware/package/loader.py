"""Reads hardware documents of schema `chiplet-package/1` into `ChipletPackage`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from hardware.document_reader import document_loader, name_of, read_text, sources_of_figures, validated
from hardware.documents import DocumentText, load_yaml, merge
from hardware.errors import HardwareError
from hardware.package.model import ArithmeticEnergy, Chiplet, ChipletPackage, NetworkOnPackage, OffChipMemory
from hardware.package.schema import ChipletSection, PackageDocument
from hardware.package.template_family import expand
from hardware.units import GIB
from hardware.validation import to_hardware_error

TEMPLATES = Path(__file__).parent / "builtin"
MIB = 2**20
FIGURE_SECTIONS = (
    "package",
    "chiplets",
    "network_on_package",
    "off_chip_memory",
    "arithmetic",
    "clock_mhz",
    "process_node_nm",
    "word_bytes",
)


@document_loader
def load_package(content: Mapping[str, Any], file: str) -> ChipletPackage:
    """Return the package that a document describes."""
    document = validated(PackageDocument, content, file)
    grid = _layout(document, file)
    _check_sides(document, file)
    sources = sources_of_figures(document.sources, content, FIGURE_SECTIONS, file)
    return _build(document, grid, sources)


def load_package_file(path: Path) -> ChipletPackage:
    """Return the package that a YAML file describes; `include` is followed.

    Raises:
        HardwareError: as for `load_package`, with the line.
    """
    text = read_text(path, path.name)
    return load_package(resolve_includes(text.content, path), text.file, text.lines)


def parse_package(text: str, file: str = "document") -> DocumentText:
    """Read and check a YAML text as people hand it in; the content is returned with its lines.

    Raises:
        HardwareError: as for `load_package`, with the line.
    """
    document = read_text(text, file)
    load_package(document.content, file, document.lines)
    return document


def check_package(content: Mapping[str, Any], file: str | None = None) -> tuple[HardwareError, ...]:
    """Return everything that is wrong with a document, for forms that mark all fields at once; empty where it loads."""
    name = name_of(content, file)
    try:
        PackageDocument.model_validate(content)
        load_package(content, name)
    except ValidationError as error:
        return tuple(to_hardware_error(detail, PackageDocument, name) for detail in error.errors())
    except HardwareError as error:
        return (error,)
    return ()


@cache
def builtin_hardware() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every template, self-contained (nothing left to include), families spread.

    Read once per process.
    """
    families = [resolve_includes(load_yaml(path), path) for path in sorted(TEMPLATES.glob("*.yaml"))]
    return MappingProxyType({content["slug"]: content for family in families for content in expand(family)})


def resolve_includes(content: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return `content` laid over the file that its `include` names (relative to `path`, not above its folder).

    Raises:
        HardwareError: the included file does not exist or lies outside the folder.
    """
    own = {key: value for key, value in content.items() if key != "include"}
    if "include" not in content:
        return own
    folder, name = path.parent.resolve(), str(content["include"])
    target = (folder / name).resolve()
    if not target.is_relative_to(folder) or not target.is_file():
        accepted = ", ".join(sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.yaml") if p != path))
        raise HardwareError(path.name, "include", name, f"one of: {accepted or 'no file beside this one'}")
    return merge(resolve_includes(load_yaml(target), target), own)


def _layout(document: PackageDocument, file: str) -> list[list[str]]:
    """Return the rows of class names, checked against the mesh and the declared classes."""
    package, classes = document.package, document.chiplets
    if len(package.layout) != package.rows:
        raise HardwareError(
            file, "package.layout", f"{len(package.layout)} rows", f"{package.rows} rows, as package.rows says"
        )
    grid: list[list[str]] = []
    for index, line in enumerate(package.layout):
        names = row_names(line, classes)
        key = f"package.layout.{index}"
        if len(names) != package.columns:
            accepted = f"{package.columns} chiplets, as package.columns says"
            raise HardwareError(file, key, f"{len(names)} chiplets ({line!r})", accepted)
        for name in names:
            if name not in classes:
                raise HardwareError(file, key, name, f"one of the classes under `chiplets`: {', '.join(classes)}")
        grid.append(names)
    return grid


def row_names(line: str | list[str], classes: Mapping[str, Any]) -> list[str]:
    """Return the classes on one line of a layout: apart by spaces, letters without, or a list."""
    if isinstance(line, list):
        return line
    words = line.split()
    # "NSN" is three letters, unless a class has that very name.
    return list(words[0]) if len(words) == 1 and words[0] not in classes else words


def _check_sides(document: PackageDocument, file: str) -> None:
    sides = document.off_chip_memory.interface_sides
    if len(set(sides)) != len(sides):
        raise HardwareError(file, "off_chip_memory.interface_sides", sides, "a list without repetition")


def _build(document: PackageDocument, grid: list[list[str]], sources: Mapping[str, str]) -> ChipletPackage:
    columns = document.package.columns
    network, memory, arithmetic = document.network_on_package, document.off_chip_memory, document.arithmetic
    chiplets = tuple(
        _chiplet(row * columns + column, row, column, document.chiplets[name])
        for row, names in enumerate(grid)
        for column, name in enumerate(names)
    )
    return ChipletPackage(
        slug=document.slug,
        title=document.title,
        rows=document.package.rows,
        columns=columns,
        chiplets=chiplets,
        network=NetworkOnPackage(
            bandwidth_bytes_per_s=network.bandwidth_gb_per_s * 1e9,
            hop_latency_s=network.hop_latency_ns / 1e9,
            energy_pj_per_bit_per_hop=network.energy_pj_per_bit_per_hop,
        ),
        memory=OffChipMemory(
            bandwidth_bytes_per_s=memory.bandwidth_gb_per_s_per_interface * 1e9,
            latency_s=memory.latency_ns / 1e9,
            energy_pj_per_bit=memory.energy_pj_per_bit,
            sides=tuple(memory.interface_sides),
            capacity_bytes=None if memory.capacity_gib is None else round(memory.capacity_gib * GIB),
        ),
        arithmetic=ArithmeticEnergy(
            mac_energy_pj=arithmetic.mac_energy_pj,
            level1_access_energy_macs=arithmetic.level1_access_energy_macs,
            level2_access_energy_macs=arithmetic.level2_access_energy_macs,
        ),
        clock_hz=document.clock_mhz * 1e6,
        process_node_nm=document.process_node_nm,
        word_bytes=document.word_bytes,
        sources=sources,
    )


def _chiplet(index: int, row: int, column: int, section: ChipletSection) -> Chiplet:
    return Chiplet(
        index=index,
        row=row,
        column=column,
        dataflow=section.dataflow,
        processing_elements=section.processing_elements,
        noc_bandwidth_elements_per_cycle=section.noc_bandwidth_elements_per_cycle,
        noc_hop_latency_cycles=section.noc_hop_latency_cycles,
        buffer_bytes=round(section.buffer_mib * MIB),
    )
