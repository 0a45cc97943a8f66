"""Pictures of hardware, one per device type; a type without a picture is shown as a table of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import plotly.graph_objects as go
from dash.development.base_component import Component

from frontend.components.pictures.legend import hardware_legend
from frontend.figures.chiplets.package import package_figure
from frontend.figures.hardware.device_diagram import (
    battery_figure,
    battery_lines,
    node_figure,
    node_sentence,
    radio_curve,
    radio_figure,
)
from frontend.figures.hardware.silicon_diagram import (
    block_areas_figure,
    block_areas_sentence,
    yield_curve,
    yield_figure,
)
from frontend.figures.hardware.soc_diagram import soc_figure, soc_sentence, unit_finish
from frontend.pages.drafts import dataflow_counts
from frontend.results.registry import result_sentence
from frontend.theme import Scheme
from hardware.battery.model import Battery
from hardware.chiplet_system.model import ChipletSystem
from hardware.package.model import ChipletPackage
from hardware.radio.model import Radio
from hardware.sensor_node.model import SensorNode
from hardware.silicon.model import SiliconCosts
from hardware.soc.model import Soc

Device = TypeVar("Device")
Figure = Callable[[Device, Scheme, float, float], go.Figure]


@dataclass(frozen=True)
class HardwarePicture(Generic[Device]):
    """How devices of one type are drawn.

    Attributes:
        title: title of the card.
        figure: (device, scheme, width, height) -> the picture.
        sentence: the picture in one sentence.
        subtitle: quieter words after the title.
        legend: meaning of its colours and patterns.
        curve: whether its points have a table; what a drawing shows stands among the figures of the document.
    """

    title: str
    figure: Figure[Device]
    sentence: Callable[[Device], str]
    subtitle: str = ""
    legend: Callable[[Device], Component | None] = lambda _device: None
    curve: bool = False


def picture_of(device: Any) -> HardwarePicture[Any] | None:
    """Return the function that draws a device; None for devices without a picture."""
    return _PICTURES.get(type(device))


def _package_sentence(package: ChipletPackage) -> str:
    return f"{package.title}: {package.rows} by {package.columns} chiplets, {dataflow_counts(package)}"


def _soc_legend(soc: Soc) -> Component:
    return hardware_legend([*(unit_finish(unit.kind) for unit in soc.units.values()), "dram"])


def _package_legend(package: ChipletPackage) -> Component:
    return hardware_legend(chiplet.dataflow for chiplet in package.chiplets)


def _sized(draw: Callable[..., go.Figure]) -> Figure[Any]:
    return lambda device, scheme, width_px, height_px: draw(device, scheme, width_px=width_px, height_px=height_px)


_PICTURES: Mapping[type, HardwarePicture[Any]] = {
    ChipletPackage: HardwarePicture(
        "Package", _sized(package_figure), _package_sentence, "chiplets, links and memory", _package_legend
    ),
    Soc: HardwarePicture("Block diagram", _sized(soc_figure), soc_sentence, "areas not to scale", _soc_legend),
    SensorNode: HardwarePicture("Block diagram", _sized(node_figure), node_sentence, "areas not to scale"),
    Radio: HardwarePicture(
        "Power by throughput",
        lambda radio, scheme, _width_px, height_px: radio_figure(radio, scheme, height_px=height_px),
        lambda radio: result_sentence(radio_curve(radio)),
        "during transfers; states before and after a transfer are in the table of values",
        curve=True,
    ),
    Battery: HardwarePicture(
        "Battery",
        lambda battery, scheme, width_px, height_px: battery_figure(
            battery, battery.title, scheme, width_px=width_px, height_px=height_px
        ),
        lambda battery: f"{battery.title}: {', '.join(battery_lines(battery))}.",
    ),
    ChipletSystem: HardwarePicture("Blocks by area", _sized(block_areas_figure), block_areas_sentence),
    SiliconCosts: HardwarePicture(
        "Yield by area",
        lambda costs, scheme, _width_px, height_px: yield_figure(costs, scheme, height_px=height_px),
        lambda costs: result_sentence(yield_curve(costs)),
        "from one die to the largest exposure",
        curve=True,
    ),
}
