"""A system on a chip as blocks: its units with what is known of them, the memory that they share, its DRAM.

Drawn in pixels from the top left; areas are not to scale. A part without units is one block with its power states.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from frontend.figures.drawing import (
    Box,
    arrow,
    canvas_layout,
    figure,
    filled,
    hardware_fill,
    rounded,
    text_width,
    texts,
)
from frontend.figures.numbers import fixed, integer, si, significant
from frontend.theme import TOKENS, Scheme, hardware_style
from hardware.soc import ProcessingUnit, Soc

Entry = dict[str, Any]
Words = tuple[float, float, str, str]

# Kind of unit -> key of its tint and pattern, and its name.
_UNITS = {
    "npu": ("dla", "neural accelerator"),
    "mcu": ("cpu", "microcontroller"),
    "cpu": ("cpu", "CPU"),
    "gpu": ("gpu", "GPU"),
}
_MOST_BLOCKS_OF_A_UNIT = 4
_MOST_CORES_DRAWN = 16
_GAP_PX = 10.0
_LINE_PX = 16.0
_FABRIC_PX = 28.0
_LINK_PX = 24.0


def unit_finish(kind: str) -> str:
    """The tint and pattern (`theme.HARDWARE`) in which a kind of unit is drawn."""
    return _UNITS.get(kind, (kind, kind))[0]


def unit_title(kind: str) -> str:
    """A kind of unit in words."""
    return _UNITS.get(kind, (kind, kind))[1]


def soc_figure(soc: Soc, scheme: Scheme, *, width_px: float = 720, height_px: float = 290) -> go.Figure:
    """Blocks of a system on a chip, or the one block of a part."""
    canvas = Box(3, 3, width_px - 3, height_px - 3)
    drawing = _Drawing(scheme)
    if not soc.units:
        _part(soc, canvas, drawing)
    else:
        below = (_FABRIC_PX + _LINK_PX * 2 + _FABRIC_PX) if soc.memory else 0.0
        units = Box(canvas.left, canvas.top, canvas.right, canvas.bottom - below)
        boxes = _units(soc, units, drawing)
        if soc.memory:
            _memory(soc, Box(canvas.left, units.bottom + _LINK_PX, canvas.right, canvas.bottom), boxes, drawing)
    return figure(scheme, drawing.traces(), canvas_layout(width_px, height_px))


def soc_sentence(soc: Soc) -> str:
    """The picture in one sentence."""
    if not soc.units:
        states = ", ".join(f"{name} {si(power, 'W')}" for name, power in soc.power_states_w.items())
        return f"{soc.title}: power {states or 'not known'}."
    units = ", ".join(
        f"{unit.name}, {' '.join([unit_title(unit.kind), *unit_lines(unit)])}" for unit in soc.units.values()
    )
    memory = f"; memory {si(soc.memory.bandwidth_bytes_per_s(), 'B/s')}" if soc.memory else ""
    return f"{soc.title}: {units}{memory}."


def unit_lines(unit: ProcessingUnit) -> list[str]:
    """What is known of a unit, a line each: peak, clocks, memory."""
    lines = []
    if unit.operations_per_cycle and unit.frequencies_hz:
        peaks = [f"{si(unit.peak_operations_per_s(name), 'OP/s')} {name}" for name in unit.operations_per_cycle]
        lines.append(" · ".join(peaks[:2]))
    if unit.frequencies_hz:
        lines.append(clock_words(unit.frequencies_hz))
    if unit.on_chip_memory_bytes:
        lines.append(f"{_binary(unit.on_chip_memory_bytes)} on chip")
    return lines


def clock_words(frequencies_hz: tuple[float, ...]) -> str:
    """Clocks in words: "29 steps, 115–2 266 MHz"; one clock alone without steps."""
    low, high = (fixed(value / 1e6, 0 if value >= 1e8 else 1) for value in (frequencies_hz[0], frequencies_hz[-1]))
    return f"{len(frequencies_hz)} steps, {low}–{high} MHz" if len(frequencies_hz) > 1 else f"{high} MHz"


def _binary(size_bytes: float) -> str:
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if size_bytes >= 2**power:
            return f"{significant(size_bytes / 2**power).rstrip('0').rstrip('.')} {unit}"
    return f"{integer(size_bytes)} B"


class _Drawing:
    """Traces in the order in which they lie on each other: links, bodies, plates, words."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme, self.tokens = scheme, TOKENS[scheme]
        self.shapes: list[Entry] = []
        self.words: dict[tuple[float, str], list[Words]] = {}

    def body(self, kind: str, box: Box, radius: float = 6) -> None:
        style = hardware_style(kind)
        finish = style.finish[self.scheme]
        self.shapes.append(
            filled([rounded(box, radius)], finish.tint, finish.edge, **hardware_fill(style, self.scheme))
        )

    def plate(self, kind: str, box: Box, radius: float = 4) -> None:
        self.shapes.append(filled([rounded(box, radius)], hardware_style(kind).finish[self.scheme].tint))

    def squares(self, kind: str, boxes: list[Box]) -> None:
        finish = hardware_style(kind).finish[self.scheme]
        self.shapes.append(filled([rounded(box, 2) for box in boxes], finish.line, finish.edge))

    def link(self, x: float, top: float, bottom: float, width: float = 1.5) -> None:
        ends = [arrow(x, (top + bottom) / 2, x, end, width) for end in (top, bottom)]
        self.shapes.append(filled(ends, self.tokens.dot))

    def write(self, x: float, y: float, text: str, size: float, where: str, quiet: bool = False) -> None:
        colour = self.tokens.text2 if quiet else self.tokens.text
        self.words.setdefault((size, where), []).append((x, y, text, colour))

    def traces(self) -> list[Entry]:
        return [*self.shapes, *(texts(items, size, where) for (size, where), items in self.words.items())]


def _units(soc: Soc, area: Box, drawing: _Drawing) -> list[Box]:
    """Draw all units beside each other; the boxes of their blocks."""
    blocks = [
        (unit, number)
        for unit in soc.units.values()
        for number in range(unit.count if unit.count <= _MOST_BLOCKS_OF_A_UNIT else 1)
    ]
    width = (area.width - _GAP_PX * (len(blocks) - 1)) / len(blocks)
    boxes = []
    for position, (unit, number) in enumerate(blocks):
        left = area.left + position * (width + _GAP_PX)
        box = Box(left, area.top, left + width, area.bottom)
        _unit(unit, number, box, drawing)
        boxes.append(box)
    return boxes


def _unit(unit: ProcessingUnit, number: int, box: Box, drawing: _Drawing) -> None:
    finish = unit_finish(unit.kind)
    drawing.body(finish, box)
    several = 1 < unit.count <= _MOST_BLOCKS_OF_A_UNIT
    name = f"{unit.name} {number}" if several else f"{unit.name} × {unit.count}" if unit.count > 1 else unit.name
    inside = box.inset(8)
    lines = [line for line in unit_lines(unit) if line]
    right = f"{integer(unit.cores)} cores" if unit.cores and unit.cores > 1 else ""
    drawing.plate(finish, Box(box.left + 4, box.top + 4, box.right - 4, box.top + 4 + 2 * _LINE_PX + 4))
    drawing.write(inside.left, inside.top + 7, f"<b>{_fit(name.upper(), inside.width, 12)}</b>", 12, "middle right")
    quiet = ", ".join(words for words in (unit_title(unit.kind), right) if words and words.lower() != unit.name.lower())
    drawing.write(inside.left, inside.top + 7 + _LINE_PX, _fit(quiet, inside.width, 11), 11, "middle right", quiet=True)
    low = inside.bottom - _LINE_PX * len(lines)
    if lines:
        drawing.plate(finish, Box(box.left + 4, low - 4, box.right - 4, box.bottom - 4))
    for index, line in enumerate(lines):
        y = low + _LINE_PX * (index + 0.5)
        drawing.write(inside.left, y, _fit(line, inside.width, 11), 11, "middle right")
    if unit.cores and 1 < unit.cores <= _MOST_CORES_DRAWN:
        _cores(finish, unit.cores, Box(inside.left, inside.top + 2 * _LINE_PX + 6, inside.right, low - 10), drawing)


def _cores(finish: str, count: int, area: Box, drawing: _Drawing) -> None:
    """One square per core, as large as fits."""
    if area.height < 14 or area.width < 14:
        return
    columns = min(count, 4)
    rows = -(-count // columns)
    size = min(34.0, area.width / columns - 5, area.height / rows - 5)
    if size < 6:
        return
    top, left = area.centre[1] - rows * (size + 5) / 2, area.centre[0] - columns * (size + 5) / 2
    boxes = []
    for index in range(count):
        x, y = left + (index % columns) * (size + 5), top + (index // columns) * (size + 5)
        boxes.append(Box(x, y, x + size, y + size))
    drawing.squares(finish, boxes)


def _memory(soc: Soc, area: Box, units: list[Box], drawing: _Drawing) -> None:
    memory = soc.memory
    assert memory is not None
    fabric = Box(area.left, area.top, area.right, area.top + _FABRIC_PX)
    for box in units:
        drawing.link(box.centre[0], box.bottom, fabric.top)
    dram = Box(area.left, area.bottom - _FABRIC_PX, area.right, area.bottom)
    drawing.link(area.centre[0], fabric.bottom, dram.top, width=4)
    drawing.body("dram", fabric)
    drawing.body("dram", dram)
    words = f"shared memory · {clock_words(memory.frequencies_hz)}"
    drawing.write(*fabric.centre, _fit(words, fabric.width - 16, 11), 11, "middle center")
    capacity = " or ".join(_binary(size) for size in memory.capacities_bytes) or "capacity not known"
    drawing.write(*dram.centre, f"DRAM, {capacity}", 11, "middle center")
    bandwidth = f"<b>{si(memory.bandwidth_bytes_per_s(), 'B/s')}</b>"
    drawing.write(area.centre[0] + 12, (fabric.bottom + dram.top) / 2, bandwidth, 11, "middle right")


def _part(soc: Soc, canvas: Box, drawing: _Drawing) -> None:
    """One block with the power states as lines."""
    lines = [f"{name.replace('_', ' ')}: {si(power, 'W')}" for name, power in soc.power_states_w.items()]
    high = min(canvas.height, 60 + _LINE_PX * 1.2 * len(lines))
    box = Box(canvas.left, canvas.centre[1] - high / 2, canvas.right, canvas.centre[1] + high / 2)
    if box.width > 420:
        box = Box(canvas.centre[0] - 210, box.top, canvas.centre[0] + 210, box.bottom)
    drawing.body("dram", box)
    drawing.write(box.centre[0], box.top + 20, f"<b>{_fit(soc.title, box.width - 24, 13)}</b>", 13, "middle center")
    for index, line in enumerate(lines):
        drawing.write(box.centre[0], box.top + 46 + index * _LINE_PX * 1.2, line, 12, "middle center")


def _fit(text: str, width_px: float, size_px: float) -> str:
    """The text, cut where it would be wider than that."""
    if text_width(text, size_px) <= width_px:
        return text
    kept = text
    while kept and text_width(kept + "…", size_px) > width_px:
        kept = kept[:-1]
    return kept.rstrip(" ·,") + "…" if kept else ""
