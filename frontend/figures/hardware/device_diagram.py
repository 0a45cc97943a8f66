"""Small devices: a sensor node as blocks, the power of a radio by throughput, a battery."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import Curve, Series
from engines.cost.memory_capacity import memory_size
from frontend.figures.drawing import Box, canvas_layout, figure
from frontend.figures.generic import curve_figure
from frontend.figures.hardware.blocks import Blocks
from frontend.figures.numbers import many, percent, si
from frontend.theme import Scheme
from hardware.battery.model import EnergyStore
from hardware.radio.model import Radio
from hardware.sensor_node.model import NodeProcessor, RatedSensor, SensorNode, SteadySensor

_GAP_PX = 24.0
# Where no source says what throughput is usual.
_USUAL_BITS_PER_S = 10e6


def node_figure(node: SensorNode, scheme: Scheme, *, width_px: float = 720, height_px: float = 290) -> go.Figure:
    """Return the sensors above, processor and radio below them, the battery under all."""
    drawing, canvas = Blocks(scheme), Box(3, 3, width_px - 3, height_px - 3)
    low = 52.0 if node.battery else 0.0
    row = (canvas.height - low - _GAP_PX * (2 if node.battery else 1)) / 2
    sensors = [(node.rated_sensor.name, rated_lines(node.rated_sensor))]
    sensors += [(name, steady_lines(sensor)) for name, sensor in node.steady_sensors.items()]
    middle = Box(canvas.left, canvas.top + row + _GAP_PX, canvas.right, canvas.top + 2 * row + _GAP_PX)
    for index, (name, lines) in enumerate(sensors):
        box = _part_of(Box(canvas.left, canvas.top, canvas.right, canvas.top + row), index, len(sensors))
        drawing.named("dram", box, _title(name), lines)
        drawing.link(box.centre[0], box.bottom, middle.top)
    parts = 2 if node.transfer_j_per_bit is not None else 1
    drawing.named("cpu", _part_of(middle, 0, parts), "PROCESSOR", processor_lines(node.processor))
    if node.transfer_j_per_bit is not None:
        drawing.named("gpu", _part_of(middle, 1, parts), "RADIO", [f"{si(node.transfer_j_per_bit, 'J/bit')} sent"])
    if node.battery:
        below = Box(canvas.left, middle.bottom + _GAP_PX, canvas.right, canvas.bottom)
        drawing.link(below.centre[0], middle.bottom, below.top, width=3)
        drawing.named("dram", below, "BATTERY", [", ".join(battery_lines(node.battery))])
    return figure(scheme, drawing.traces(), canvas_layout(width_px, height_px))


def battery_figure(battery: EnergyStore, title: str, scheme: Scheme, *, width_px: float, height_px: float) -> go.Figure:
    """Return a block diagram of the battery."""
    drawing = Blocks(scheme)
    drawing.single(title, battery_lines(battery), Box(3, 3, width_px - 3, height_px - 3))
    return figure(scheme, drawing.traces(), canvas_layout(width_px, height_px))


def radio_curve(radio: Radio) -> Curve:
    """Return the power over throughput, up and down, to twice what is usual."""
    usual = max(radio.typical_bits_per_s.values(), default=_USUAL_BITS_PER_S)
    rates = np.linspace(0.0, 2 * usual, 60)
    slopes = {"up": radio.uplink_j_per_bit, "down": radio.downlink_j_per_bit}
    series = tuple(
        Series(way, radio.base_power_w + slope * rates, "W") for way, slope in slopes.items() if slope is not None
    )
    if not series:
        series = (Series("while data are moved", np.full(len(rates), radio.base_power_w), "W"),)
    return Curve("power", "Power", rates, "Throughput", "bit/s", series)


def radio_figure(radio: Radio, scheme: Scheme, *, height_px: float = 290) -> go.Figure:
    """Return the curve of a radio's power."""
    return curve_figure(radio_curve(radio), scheme, height_px=height_px)


def rated_lines(sensor: RatedSensor) -> list[str]:
    """Return the lines on the sensor with an adjustable rate."""
    lines = [
        f"{many(len(sensor.rates_hz), 'rate')}, {sensor.rates_hz[0]:g}–{sensor.rates_hz[-1]:g} Hz",
        f"{si(sensor.sample_bits, 'bit')} each",
    ]
    return lines + _powers({"active": sensor.active_power_w, "standby": sensor.standby_power_w})


def steady_lines(sensor: SteadySensor) -> list[str]:
    """Return the lines on a sensor that is always on."""
    return ([f"{sensor.rate_hz:g} Hz"] if sensor.rate_hz else []) + _powers({"always": sensor.power_w})


def processor_lines(processor: NodeProcessor) -> list[str]:
    """Return clock, powers, memories."""
    clock = [si(processor.clock_hz, "Hz")] if processor.clock_hz else []
    powers = _powers(
        {"active": processor.active_power_w, "idle": processor.idle_power_w, "writing": processor.write_power_w}
    )
    written = [f"{si(processor.write_j_per_bit, 'J/bit')} written"] if processor.write_j_per_bit else []
    sizes = {"flash": processor.flash_bytes, "RAM": processor.ram_bytes}
    memories = ", ".join(f"{memory_size(size)} {name}" for name, size in sizes.items() if size)
    return [*clock, *powers, *written, *([memories] if memories else [])]


def battery_lines(battery: EnergyStore) -> list[str]:
    """Return energy, voltage, and down to which level it may be used."""
    lines = [si(battery.capacity_j / 3600, "Wh")]
    lines += [f"{battery.nominal_voltage_v:g} V"] if battery.nominal_voltage_v else []
    if battery.minimum_share:
        lines.append(f"{si(battery.usable_j / 3600, 'Wh')} of it above {percent(battery.minimum_share)}")
    return lines


def node_sentence(node: SensorNode) -> str:
    """Return the picture in one sentence."""
    sensors = ", ".join(
        [_title(node.rated_sensor.name).lower(), *(_title(name).lower() for name in node.steady_sensors)]
    )
    battery = f", a battery of {battery_lines(node.battery)[0]}" if node.battery else ""
    radio = ", a radio" if node.transfer_j_per_bit is not None else ""
    return f"{node.title}: sensors {sensors}; a processor{radio}{battery}."


def _powers(known: dict[str, float | None]) -> list[str]:
    words = [f"{si(power, 'W')} {state}" for state, power in known.items() if power is not None]
    return [", ".join(words)] if words else []


def _title(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").upper()


def _part_of(area: Box, index: int, count: int) -> Box:
    width = (area.width - _GAP_PX / 2 * (count - 1)) / count
    left = area.left + index * (width + _GAP_PX / 2)
    return Box(left, area.top, left + width, area.bottom)
