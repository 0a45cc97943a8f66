"""Uploaded measurements, and the calibration fitted to them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from engines.cost.calibration.matching import UnmatchedLine
from hardware.calibration.model import ErrorSummary
from hardware.soc.model import PRECISIONS
from webapp.api.shapes.base import AcceptedValues, Form, FormFile, OneOf, Shape
from webapp.api.shapes.documents import FILE, PROJECT


class Measurements(Form):
    """A form with measurements."""

    file: Annotated[FormFile, FILE] = Field(
        description="CSV with layer, unit and latency_ms; optional columns: power_w or energy_mj, batch, workload, "
        "<unit>_mhz. Or the JSON that `trtexec --exportProfile` writes."
    )
    tegrastats: FormFile = Field(None, description="Log of the same run, for its power.")
    soc: Annotated[str, AcceptedValues("the name of a system on a chip of the catalogue")] = Field(
        description="System on a chip of the catalogue."
    )
    workload: str = Field("", description="Network of the catalogue, for files that name none.")
    unit: str = Field("", description="Unit that ran it, for files that name none.")
    clock: tuple[str, ...] = Field((), description="NAME=MHZ that was set, of a unit or memory.")
    rail: tuple[str, ...] = Field((), description="A supply rail of the log that counts.")
    precision: Annotated[str, OneOf(PRECISIONS)] = Field(
        "fp16", description="Precision of the measured runs; fp16 by default."
    )
    prior: str = Field("", description="Calibration whose values are the starting point.")
    scale: str = Field("", description="Calibration that is only scaled, to totals of whole networks.")
    title: str = Field("", description="Title of the calibration.")
    slug: str = Field("", description="Its name; from the title by default.")
    author: str = Field("", description="Person or organisation that measured; your account by default.")
    project: str = Field("", description=PROJECT)
    store: Annotated[bool, AcceptedValues("true or false")] = Field(
        False, description="Store the calibration as a document; otherwise it is only shown."
    )
    next_version: Annotated[bool, AcceptedValues("true or false")] = Field(
        False, description="Where a calibration of that name has other content, store this as its next version."
    )


class FitErrors(Shape):
    """Errors of fitted rows, of the same rows left out, and of predicted ones; null where there are none."""

    fitted: ErrorSummary | None
    left_out: ErrorSummary | None
    predicted: ErrorSummary | None


class FitReport(Shape):
    """How the files were read."""

    lines: int
    unmatched: list[UnmatchedLine]
    notes: list[str]
    rails_w: dict[str, float] = Field(description="Mean power of each rail of the log.")
    clocks_mhz: dict[str, float] = Field(description="Mean clocks of the log.")


class Fit(Shape):
    """A calibration that measurements gave, and where it is stored."""

    reference: str | None = Field(description="Names the stored version; null where it is not.")
    created: bool = Field(description="False where it was not stored, or its content was stored already.")
    errors: FitErrors
    report: FitReport
    content: dict[str, Any] = Field(description="The calibration as a document: rows, parameters, errors.")
