"""Measurements: the input of a calibration fit, with measured values of networks on compute units and the parameters to fit.

Schema `soc-measurements/1`. Published sources stand in `hardware/calibration/measurements/`; a user's own files become the same
(`engines.cost.calibration.own`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from hardware.calibration.device_figures import DeviceFigures
from hardware.calibration.model import Quantity, RowRole
from hardware.document_reader import validated
from hardware.documents import load_yaml
from hardware.sections import Section, Slug, Words

MEASUREMENTS = Path(__file__).parents[3] / "hardware" / "calibration" / "measurements"
Unit = Literal["ms", "mJ", "W", "ratio"]
Positive = Annotated[float, Field(gt=0, le=1e12)]
Clocks = dict[str, Positive]


@dataclass(frozen=True)
class FittedParameter:
    """A parameter to fit.

    Attributes:
        prior, factor: prior value; factor up or down that counts as one standard deviation.
        highest: physical upper bound, such as 1 for a share of a peak; None without one.
    """

    name: str
    prior: float
    factor: float
    highest: float | None = None
    note: str = ""


@dataclass(frozen=True)
class AssumedParameter:
    """A parameter that the rows do not determine, with an assumed value."""

    name: str
    value: float
    note: str


@dataclass(frozen=True)
class MeasuredRow:
    """One measured value.

    Attributes:
        workload: slug of the network.
        runs_on: the unit that runs everything, or block -> unit ("grapher3": the first part of the operations' names).
        measured: value in `in_unit`; for "ratio" the quantity at `clocks` divided by that at `relative_to`.
        clocks, relative_to: unit or "memory" -> MHz; missing ones run at their highest clock.
        operations: names of the measured operations; empty for all.
        line: line of the file, from 1 on; 0 for a row that was not read from lines.
        deviation: relative standard deviation that it counts with against the priors; None: that of its source.
        role: whether the row is fitted, or predicted and compared.
    """

    name: str
    workload: str
    runs_on: str | Mapping[str, str]
    quantity: Quantity
    in_unit: Unit
    measured: float
    where: str
    role: RowRole = "fitted"
    batch: int = 1
    clocks: Mapping[str, float] = field(default_factory=dict)
    relative_to: Mapping[str, float] | None = None
    operations: tuple[str, ...] = ()
    line: int = 0
    deviation: float | None = None


@dataclass(frozen=True)
class Measurements:
    """The measurements of one source, and the parameters fitted to them.

    Attributes:
        deviation: relative standard deviation that a row counts with against the priors.
        device: figures that the parameters, and so the priors, stand for; None for those of the device named.
    """

    slug: str
    title: str
    summary: str
    source: str
    author: str
    soc: str
    precision: str
    launcher: str
    fitted: tuple[FittedParameter, ...]
    assumed: tuple[AssumedParameter, ...]
    rows: tuple[MeasuredRow, ...]
    deviation: float = 0.05
    device: DeviceFigures | None = None


class FittedSection(Section):
    """A parameter to fit."""

    name: Words
    prior: Positive
    factor: Annotated[float, Field(gt=1, le=1000)]
    highest: Positive | None = None
    note: str = ""


class AssumedSection(Section):
    """A parameter that the source cannot tell."""

    name: Words
    value: Annotated[float, Field(ge=0, le=1e12)]
    note: Words


class MeasuredSection(Section):
    """One measured figure; `runs_on` may give a list of units for numbered blocks ("grapher": grapher1, grapher2, ...)."""

    name: Words
    workload: Slug
    runs_on: str | dict[str, str | list[str]]
    quantity: Literal["latency", "energy", "power"]
    in_unit: Unit
    measured: Positive
    where: Words
    role: Literal["fitted", "predicted"] = "fitted"
    batch: Annotated[int, Field(ge=1, le=65_536)] = 1
    clocks: Clocks = Field(default={})
    relative_to: Clocks | None = None
    operations: list[Words] = Field(default=[])


class MeasurementsDocument(Section):
    """A document of schema `soc-measurements/1`."""

    schema_name: Literal["soc-measurements/1"] = Field(alias="schema")
    slug: Slug
    title: Words
    summary: str = ""
    source: Words
    author: Words
    soc: Slug
    precision: Literal["int8", "fp16", "fp32"]
    launcher: Words
    fitted: Annotated[list[FittedSection], Field(min_length=1)]
    assumed: list[AssumedSection]
    rows: Annotated[list[MeasuredSection], Field(min_length=1, max_length=20_000)]


def load_measurements(content: Mapping[str, Any], file: str = "measurements") -> Measurements:
    """Return the measurements that a document describes.

    Raises:
        HardwareError: names file, key, value got and values accepted.
    """
    document = validated(MeasurementsDocument, content, file)
    head = {name: getattr(document, name) for name in ("slug", "title", "summary", "source", "author", "soc")}
    return Measurements(
        **head,
        precision=document.precision,
        launcher=document.launcher,
        fitted=tuple(FittedParameter(**section.model_dump()) for section in document.fitted),
        assumed=tuple(AssumedParameter(**section.model_dump()) for section in document.assumed),
        rows=tuple(_row(section) for section in document.rows),
    )


@cache
def published_measurements() -> Mapping[str, Measurements]:
    """Return slug -> measurements of every published source that ships with the product."""
    contents = [load_yaml(path) for path in sorted(MEASUREMENTS.glob("*.yaml"))]
    return {content["slug"]: load_measurements(content, f"{content['slug']}.yaml") for content in contents}


def _row(section: MeasuredSection) -> MeasuredRow:
    values = section.model_dump() | {"operations": tuple(section.operations)}
    if isinstance(section.runs_on, dict):
        values["runs_on"] = _spread(section.runs_on)
    return MeasuredRow(**values)


def _spread(blocks: Mapping[str, str | list[str]]) -> dict[str, str]:
    spread: dict[str, str] = {}
    for block, units in blocks.items():
        numbered = {block: units} if isinstance(units, str) else {f"{block}{i}": u for i, u in enumerate(units, 1)}
        spread |= numbered
    return spread
