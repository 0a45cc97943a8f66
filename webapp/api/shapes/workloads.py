"""Differences of documents and layers of workloads, as the interface shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engines.cost.preferences import ArrayChoice
from engines.cost.unit_preferences import UnitTotal
from engines.workloads.layer_table import LayerRow, NetworkTotals
from webapp.api.shapes.base import Numbers, Shape
from webapp.catalogue.differences import Difference

Rows = list[list[float]]


class Differences(Shape):
    """The differences of two documents."""

    before: str | None = Field(description="Name and version; null where there is none.")
    after: str
    differences: list[Difference]


class Layers(Shape):
    """The layers of a network, or of one model of a scenario."""

    network: str = Field(description="Slug of the network.")
    batch: int = Field(description="Samples in the scenario; 1 for a network of its own.")
    word_bytes: int
    totals: NetworkTotals
    layers: list[LayerRow]


class Dataflows(Shape):
    """Costs of layers (rows) under choices (columns), and what each layer prefers."""

    network: str
    hardware: str
    quantity: Literal["latency", "energy", "edp"]
    choices: list[ArrayChoice]
    layers: list[str] = Field(description="Names.")
    best: list[int] = Field(description="Index of the preferred choice.")
    margin: Numbers = Field(description="Cost of the next best mapping, as a multiple.")
    latency_s: Rows
    compute_j: Rows
    level1_j: Rows
    level2_j: Rows
    utilisation: Rows
    buffer_need_bytes: Rows
    package_network_j: list[float] = Field(description="If moved once, per layer.")
    off_chip_j: list[float] = Field(description="If moved once, per layer.")
    moved_bytes: list[float] = Field(description="Weights, input and output.")
    buffer_bytes: list[float] = Field(description="Area of the chiplet of each choice.")


class UnitReason(Shape):
    """Why an operation has no figure on a unit."""

    operation: str
    unit: str
    reason: str


class Units(Shape):
    """Costs of operations (rows) on the units of a device (columns), and what each operation prefers."""

    network: str
    hardware: str
    calibration: str
    quantity: Literal["latency", "energy", "edp"]
    clocks_mhz: dict[str, float]
    units: list[str]
    operations: list[str] = Field(description="Names of those that run.")
    latency_s: list[Numbers]
    energy_j: list[Numbers]
    best: list[str | None] = Field(description="Null: no unit has a figure.")
    margin: Numbers = Field(description="Cost of the next best unit, as a multiple.")
    band: float | None = Field(
        description="Error band: a factor that holds 90 % of held-out measurements; margins below it decide nothing."
    )
    precision: str = Field(description="Precision of weights and activations.")
    measured_in_public: str = Field(
        description="Public measurements of this network on this device, with precision and source."
    )
    measured_on: str = Field(
        description="Rows, source, networks and precision that the band was measured on, and what a copied device inherits."
    )
    totals: dict[str, UnitTotal] = Field(description="By unit, and of each operation's preferred one.")
    reasons: list[UnitReason]
