"""Differences of documents and layers of workloads, as the interface shows them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from webapp.api.shapes.base import Numbers, Shape

Rows = list[list[float]]


class Difference(Shape):
    """One key whose value is not the same."""

    key: str = Field(description="Dotted; `operations[conv1]` is the entry of that name.")
    before: Any
    after: Any
    change: Literal["changed", "added", "removed"]


class Differences(Shape):
    """What differs between two documents."""

    before: str | None = Field(description="Name and version; null where there is none.")
    after: str
    differences: list[Difference]


class Layer(Shape):
    """One schedulable layer, one sample."""

    index: int
    name: str
    kind: str
    operation: str
    input_shape: str = Field(description="Padding included.")
    kernel: str = Field(description="Kernel and stride, or the second operand of a product.")
    output_shape: str
    macs: int
    parameters: int
    input_bytes: int
    output_bytes: int
    activation_bytes: int = Field(description="Input and output together.")
    intensity_macs_per_byte: float
    folded: list[str]


class NetworkTotals(Shape):
    """A network as a whole, one sample."""

    layers: int
    macs: int
    parameters: int
    activation_peak_bytes: int = Field(description="Largest input and output of one layer.")
    intensity_macs_per_byte: float


class Layers(Shape):
    """The layers of a network, or of one model of a scenario."""

    network: str = Field(description="Slug of the network.")
    batch: int = Field(description="Samples in the scenario; 1 for a network of its own.")
    word_bytes: int
    totals: NetworkTotals
    layers: list[Layer]


class Choice(Shape):
    """A mapping on an array of that size."""

    mapping: str
    processing_elements: int
    checked: bool = Field(description="Whether it was compared with MAESTRO's own outputs.")
    dataflow: str = Field(description="Of chiplets that it stands for.")
    on_package: bool = Field(description="Whether the package has such a chiplet.")


class Dataflows(Shape):
    """Costs of layers (rows) under choices (columns), and what each layer prefers."""

    network: str
    hardware: str
    quantity: Literal["latency", "energy", "edp"]
    choices: list[Choice]
    layers: list[str] = Field(description="Names.")
    best: list[int] = Field(description="Index of the preferred choice.")
    margin: Numbers = Field(description="What the next best mapping costs, as a multiple.")
    latency_s: Rows
    compute_j: Rows
    level1_j: Rows
    level2_j: Rows
    utilisation: Rows
    buffer_need_bytes: Rows
    package_network_j: list[float] = Field(description="If moved once, per layer.")
    off_chip_j: list[float] = Field(description="If moved once, per layer.")
    moved_bytes: list[float] = Field(description="Weights, input and output.")
    buffer_bytes: list[float] = Field(description="Of the chiplet of each choice.")


class UnitTotal(Shape):
    """The operations that have a figure on a unit."""

    operations: int
    latency_s: float
    energy_j: float
    preferred: int = Field(description="Operations that prefer the unit.")


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
    margin: Numbers = Field(description="What the next best unit costs, as a multiple.")
    band: float | None = Field(
        description="Factor that an estimate may be off by (1 sd); margins below it decide nothing."
    )
    precision: str = Field(description="Of weights and activations.")
    measured_in_public: str = Field(
        description="What others measured of this network on this device, with precision and source."
    )
    measured_on: str = Field(
        description="Rows, source, networks and precision that the band was measured on, and what a copied device inherits."
    )
    totals: dict[str, UnitTotal] = Field(description="By unit, and of each operation's preferred one.")
    reasons: list[UnitReason]
