"""A block diagram of a system on a chip: its units with their known values, the shared memory, and the DRAM.

Drawn in pixels from the top left; areas not to scale. A part without units is one block with its power states.
"""

from __future__ import annotations

import plotly.graph_objects as go

from engines.cost.memory_capacity import memory_size
from frontend.figures.drawing import Box, canvas_layout, figure, fitted
from frontend.figures.hardware.blocks import LINE_PX, Blocks
from frontend.figures.numbers import fixed, integer, si
from frontend.theme import Scheme
from hardware.soc.model import ProcessingUnit, Soc

# Kind of unit -> key of its tint and pattern, and its name.
_UNITS = {
    "npu": ("dla", "neural accelerator"),
    "mcu": ("cpu", "microcontroller"),
    "cpu": ("cpu", "CPU"),
    "gpu": ("gpu", "GPU"),
    "dsp": ("dla", "signal processor"),
}
_MOST_BLOCKS_OF_A_UNIT = 4
_MOST_CORES_DRAWN = 16
_GAP_PX = 10.0
_FABRIC_PX = 28.0
_LINK_PX = 24.0
_NARROW_PX = 120.0  # a unit whose words need all of its width


def unit_finish(kind: str) -> str:
    """Return the tint and pattern (`theme.HARDWARE`) in which a kind of unit is drawn."""
    return _UNITS.get(kind, (kind, kind))[0]


def unit_title(kind: str) -> str:
    """Return a kind of unit in words."""
    return _UNITS.get(kind, (kind, kind))[1]


def soc_figure(soc: Soc, scheme: Scheme, *, width_px: float = 720, height_px: float = 290) -> go.Figure:
    """Return the blocks of a system on a chip, or the one block of a part."""
    canvas = Box(3, 3, width_px - 3, height_px - 3)
    drawing = Blocks(scheme)
    if not soc.units:
        lines = [f"{name.replace('_', ' ')}: {si(power, 'W')}" for name, power in soc.power_states_w.items()]
        drawing.single(soc.title, lines, canvas)
    else:
        below = (_FABRIC_PX + _LINK_PX * 2 + _FABRIC_PX) if soc.memory else 0.0
        units = Box(canvas.left, canvas.top, canvas.right, canvas.bottom - below)
        boxes = _units(soc, units, drawing)
        if soc.memory:
            _memory(soc, Box(canvas.left, units.bottom + _LINK_PX, canvas.right, canvas.bottom), boxes, drawing)
    return figure(scheme, drawing.traces(), canvas_layout(width_px, height_px))


def soc_sentence(soc: Soc) -> str:
    """Return the picture in one sentence."""
    if not soc.units:
        states = ", ".join(f"{name} {si(power, 'W')}" for name, power in soc.power_states_w.items())
        return f"{soc.title}: power {states or 'not known'}."
    units = ", ".join(
        f"{unit.name}, {' '.join([unit_title(unit.kind), *unit_lines(unit)])}" for unit in soc.units.values()
    )
    memory = f"; memory {si(soc.memory.bandwidth_bytes_per_s(), 'B/s')}" if soc.memory else ""
    return f"{soc.title}: {units}{memory}."


def unit_lines(unit: ProcessingUnit) -> list[str]:
    """Return the lines of a unit: dataflow, peak, clocks, memory."""
    lines = []
    if unit.dataflow:
        lines.append(f"{unit.dataflow.mapping} · {integer(unit.dataflow.processing_elements)} PEs")
    if unit.operations_per_cycle and unit.frequencies_hz:
        peaks = [f"{si(unit.peak_operations_per_s(name), 'OP/s')} {name}" for name in unit.operations_per_cycle]
        lines.append(" · ".join(peaks[:2]))
    if unit.known_clocks_hz:
        lines.append(clock_words(unit.known_clocks_hz))
    if unit.on_chip_memory_bytes:
        lines.append(f"{memory_size(unit.on_chip_memory_bytes)} on chip")
    return lines


def clock_words(frequencies_hz: tuple[float, ...]) -> str:
    """Return the clocks in words: "29 steps, 115–2 266 MHz"; one clock alone without steps."""
    low, high = (fixed(value / 1e6, 0 if value >= 1e8 else 1) for value in (frequencies_hz[0], frequencies_hz[-1]))
    return f"{len(frequencies_hz)} steps, {low}–{high} MHz" if len(frequencies_hz) > 1 else f"{high} MHz"


def _units(soc: Soc, area: Box, drawing: Blocks) -> list[Box]:
    """Draw all units side by side; the boxes of their blocks."""
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


def _unit(unit: ProcessingUnit, number: int, box: Box, drawing: Blocks) -> None:
    finish = unit_finish(unit.kind)
    drawing.body(finish, box)
    several = 1 < unit.count <= _MOST_BLOCKS_OF_A_UNIT
    name = f"{unit.name} {number}" if several else f"{unit.name} × {unit.count}" if unit.count > 1 else unit.name
    inside = box.inset(8 if box.width > _NARROW_PX else 6)
    lines = _broken(unit_lines(unit), inside.width, int((box.height - 2 * LINE_PX - 16) // LINE_PX))
    right = f"{integer(unit.cores)} cores" if unit.cores and unit.cores > 1 else ""
    drawing.plate(finish, Box(box.left + 4, box.top + 4, box.right - 4, box.top + 4 + 2 * LINE_PX + 4))
    drawing.write(inside.left, inside.top + 7, f"<b>{fitted(name.upper(), inside.width, 12)}</b>", 12, "middle right")
    quiet = ", ".join(words for words in (unit_title(unit.kind), right) if words and words.lower() != unit.name.lower())
    drawing.write(
        inside.left, inside.top + 7 + LINE_PX, fitted(quiet, inside.width, 11), 11, "middle right", quiet=True
    )
    low = inside.bottom - LINE_PX * len(lines)
    if lines:
        drawing.plate(finish, Box(box.left + 4, low - 4, box.right - 4, box.bottom - 4))
    for index, line in enumerate(lines):
        y = low + LINE_PX * (index + 0.5)
        drawing.write(inside.left, y, fitted(line, inside.width, 11), 11, "middle right")
    if unit.cores and 1 < unit.cores <= _MOST_CORES_DRAWN:
        _cores(finish, unit.cores, Box(inside.left, inside.top + 2 * LINE_PX + 6, inside.right, low - 10), drawing)


def _broken(lines: list[str], width_px: float, most: int) -> list[str]:
    """Return `lines` with those that are too wide broken where they name a second thing, while no more than `most` come of it."""
    found = list(lines)
    for line in lines:
        if fitted(line, width_px, 11) == line or len(found) >= most:
            continue
        first, mark, rest = line.partition(" · ") if " · " in line else line.partition(", ")
        if mark:
            place = found.index(line)
            found[place : place + 1] = [first, rest]
    return found[: max(most, 0)]


def _cores(finish: str, count: int, area: Box, drawing: Blocks) -> None:
    """Draw one square per core, as large as fits."""
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


def _memory(soc: Soc, area: Box, units: list[Box], drawing: Blocks) -> None:
    memory = soc.memory
    assert memory is not None
    fabric = Box(area.left, area.top, area.right, area.top + _FABRIC_PX)
    for box in units:
        drawing.link(box.centre[0], box.bottom, fabric.top)
    dram = Box(area.left, area.bottom - _FABRIC_PX, area.right, area.bottom)
    drawing.link(area.centre[0], fabric.bottom, dram.top, width=4)
    drawing.body("dram", fabric)
    drawing.body("dram", dram)
    words = f"shared memory · {clock_words(memory.frequencies_hz)}" if memory.known_clocks_hz else "shared memory"
    drawing.write(*fabric.centre, fitted(words, fabric.width - 16, 11), 11, "middle center")
    capacity = " or ".join(memory_size(size) for size in memory.capacities_bytes) or "capacity not known"
    drawing.write(*dram.centre, f"DRAM, {capacity}", 11, "middle center")
    bandwidth = f"<b>{si(memory.bandwidth_bytes_per_s(), 'B/s')}</b>"
    drawing.write(area.centre[0] + 12, (fabric.bottom + dram.top) / 2, bandwidth, 11, "middle right")
