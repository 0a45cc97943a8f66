"""Schema `soc-calibration/1`: a calibration as a document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hardware.sections import Header, Section, Slug, Words, named
from hardware.soc.schema import Precision, UnitKind

CALIBRATION_SCHEMA = "soc-calibration/1"

Positive = Annotated[float, Field(gt=0, le=1e12)]


class ParameterSection(Section):
    """One number of the cost model; its name ends in its unit."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9-]*\.?[a-z0-9_]+$", max_length=120)]
    value: Annotated[float, Field(ge=0, le=1e12)]
    role: Literal["fitted", "assumed"]
    prior: Positive | None = None
    prior_factor: Positive | None = None
    note: str = ""


class RowSection(Section):
    """One figure of the source next to the estimate."""

    name: Words
    workload: Slug
    unit: Words
    quantity: Literal["latency", "energy", "power"]
    in_unit: Literal["ms", "mJ", "W", "ratio"]
    measured: Positive
    estimated: Positive
    left_out: Positive | None = None
    role: Literal["fitted", "predicted"]
    where: Words


class ScaleSection(Section):
    """Factors from measured totals of one workload on one unit."""

    workload: Slug
    unit: Words
    latency_factor: Positive = 1.0
    energy_factor: Positive = 1.0


class FittedUnitSection(Section):
    """A unit of the device as it was when it was measured."""

    kind: UnitKind
    highest_mhz: Positive | None = Field(default=None, json_schema_extra={"unit": "MHz"})
    operations_per_cycle: dict[Precision, Positive] = Field(default={})


class FittedMemorySection(Section):
    """The shared memory, likewise."""

    highest_mhz: Positive = Field(json_schema_extra={"unit": "MHz"})
    bytes_per_cycle: Positive = Field(json_schema_extra={"unit": "B/cycle"})


class FittedDeviceSection(Section):
    """Device values to which the parameters refer; they scale the parameters for a changed copy of the device."""

    units: dict[Slug, FittedUnitSection]
    memory: FittedMemorySection


class ErrorsSection(Section):
    """Absolute relative errors of some rows; checked against them."""

    rows: Annotated[int, Field(ge=1)]
    median: Annotated[float, Field(ge=0)]
    mean: Annotated[float, Field(ge=0)]
    worst: Annotated[float, Field(ge=0)]
    worst_row: Words


class CalibrationDocument(Header):
    """A document of schema `soc-calibration/1`; made by a fit, not by hand."""

    schema_name: Literal["soc-calibration/1"] = named()
    summary: str = Field(default="", max_length=4000)
    source: Words = Field(description="Source of the measurements: what was measured, and where it is published.")
    author: Words = Field(description="Person or organisation that measured.")
    soc: Slug = Field(description="Slug of the device.")
    precision: Literal["int8", "fp16", "fp32"]
    launcher: Words = Field(description="Unit whose clock paces launches.")
    parameters: Annotated[list[ParameterSection], Field(min_length=1, max_length=500)]
    covered: dict[Words, list[Words]] = Field(description="Unit -> kinds of operations that were measured on it.")
    rows: Annotated[list[RowSection], Field(max_length=20_000)]
    scales: list[ScaleSection] = Field(default=[], description="From measured totals.")
    effective_parameters: Annotated[float, Field(ge=0)] = 0.0
    errors: dict[Literal["fitted", "left_out", "predicted"], ErrorsSection] = Field(
        default={}, description="Errors of fitted rows, of rows of left-out workloads, and of predicted rows."
    )
    device: FittedDeviceSection | None = Field(
        default=None, description="The device's figures as fitted; left out of calibrations of built-in devices."
    )
