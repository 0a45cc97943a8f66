"""Uploaded files of measured values, and their content."""

from __future__ import annotations

from typing import Annotated

from pydantic import AliasPath, Field

from engines.cost.measured_files.value import MeasuredValue, RefusedValue
from webapp.api.shapes.base import AcceptedValues, Form, FormFile, Shape
from webapp.api.shapes.documents import FILE, PROJECT

_FLAG = AcceptedValues("true or false")


class ValueFileForm(Form):
    """A form with a file of measured values."""

    file: Annotated[FormFile, FILE] = Field(
        description="JSON of AI Hub, trtexec or onnxruntime. Or perf.yaml. Or a log of trtexec, benchmark_model, eval_perf, "
        "hailortcli or MLPerf Tiny. Or a table with a head."
    )
    source: str = Field("", description="Where the values are published, or who measured them; needed to store them.")
    licence: str = Field("", description="One licence of all values; needed where the file states none.")
    device: str = Field("", description="Device of the catalogue, for all values of the file.")
    network: str = Field("", description="Network of the catalogue, for all values of the file.")
    unit: str = Field("", description="Compute unit of values without one.")
    runtime: str = Field("", description="Runtime of values without one.")
    runtime_version: str = Field("", description="Version of the runtime.")
    precision: str = Field("", description="Bits of values without them, such as int8 or w8a16.")
    batch: str = Field("", description="Samples at a time; 1 by default.")
    measured_on: str = Field("", description="Day, month or year.")
    unit_of_value: str = Field("", description="Unit of the values of a table, such as ms, fps or mJ.")
    column: tuple[str, ...] = Field(
        (), description="FIELD=HEAD: which column of a table says what; guessed by default."
    )
    project: str = Field("", description=PROJECT)
    store: Annotated[bool, _FLAG] = Field(False, description="Store the values; otherwise they are only shown.")
    leave_out: Annotated[bool, _FLAG] = Field(False, description="Store the others where values are refused.")


class ValuesRead(Shape):
    """Content of a file of measured values, and whether it is stored. Long lists have their first 200 entries."""

    stored: bool
    format: str
    licence: str
    count: int
    unbounded: int = Field(description="Values without a published roofline to compare with.")
    values: list[MeasuredValue] = Field(description="In seconds, inferences per second or joules.")
    refused_count: int
    refused: list[RefusedValue]
    operators: bool = Field(description="Whether the file has times of operators, for `calibrations/fit/`.")
    columns: list[str] = Field(description="Heads of a table.")
    mapping: dict[str, str] = Field(description="Field -> head of its column.")
    sample: list[list[str]] = Field(description="First rows of a table.")


class ImportedValue(Shape):
    """An imported value next to its predictions."""

    device: str
    network: str
    unit: str
    runtime: str
    runtime_version: str
    precision: str
    batch: int
    metric: str
    value: float = Field(description="In seconds, inferences per second or joules.")
    statistic: str
    measured_on: str
    source: str = Field(validation_alias=AliasPath("origin", "source"))
    licence: str = Field(validation_alias=AliasPath("origin", "licence"))
    project: str = Field(validation_alias=AliasPath("origin", "project", "slug"))
