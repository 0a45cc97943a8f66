"""Schema `recording/1`: the keys and values of a recording document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hardware.sections import Header, Section, Words, named, positive
from hardware.units import UNITS_IN_WORDS

RECORDING_SCHEMA = "recording/1"
MAX_POINTS = 100_000
MAX_TRACKS = 1000
READER = 2  # version of the reader of tables

Time = Annotated[float, Field(ge=-1e12, le=1e12)]
Number = Annotated[float, Field(ge=-1e15, le=1e15)]
ColumnName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
Generator = Literal["routes", "videos", "weather"]


class TrackSection(Section):
    """Columns on one time axis."""

    title: Words = Field(title="Title")
    times_s: Annotated[list[Time], Field(min_length=2, max_length=MAX_POINTS)] = Field(
        title="Times", description="Ascending.", json_schema_extra={"unit": "s"}
    )
    columns: Annotated[dict[ColumnName, list[Number]], Field(min_length=1, max_length=40)] = Field(
        title="Columns", description="Name -> one value per time, in the unit that `units` gives."
    )


class GeneratorSection(Section):
    """How a synthetic recording is drawn."""

    kind: Generator = Field(
        title="Kind",
        description="routes: correlated random walks; videos: speed and motion; weather: humidity and rain.",
    )
    tracks: Annotated[int, Field(ge=1, le=MAX_TRACKS)] = Field(title="Tracks", description="How many are drawn.")
    duration_s: float = positive("Duration", "s", "Duration of one track.", 1e6)
    step_s: float = positive("Step", "s", "From one point to the next.", 1e4)
    seed: Annotated[int, Field(ge=0, lt=2**53)] = Field(title="Seed", description="Start value of the random numbers.")


class RecordingDocument(Header):
    """A data document of schema `recording/1`: tracks, or a generator that draws them."""

    schema_name: Literal["recording/1"] = named()
    source: Words = Field(
        title="Source", description="Author, place and instrument of the recording, or the rule that generates it."
    )
    measures: ColumnName | None = Field(
        default=None,
        title="Measures",
        description="Value of the sensor with the high power: route, or a column. Left out: route with latitude and "
        "longitude (or x and y), else the only column.",
    )
    reader: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        default=None, title="Reader", description="Version of the reader of tables that made the document from a file."
    )
    units: dict[ColumnName, str] = Field(default={}, title="Units", description=f"Column -> {UNITS_IN_WORDS}.")
    tracks: Annotated[list[TrackSection], Field(max_length=MAX_TRACKS)] = Field(
        default=[], title="Tracks", description="The recorded tracks."
    )
    generator: GeneratorSection | None = Field(
        default=None, title="Generator", description="Instead of tracks: how a synthetic recording is drawn."
    )
