"""Schema `environment/1`: the keys and values of an environment document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hardware.sections import Section, SourcedHeader, Words, named, positive
from hardware.units import UNITS_IN_WORDS

ENVIRONMENT_SCHEMA = "environment/1"
MAX_POINTS = 100_000

Time = Annotated[float, Field(ge=0, le=1e9)]
Number = Annotated[float, Field(ge=-1e15, le=1e15)]


class ProfileSection(Section):
    """One value over time."""

    title: Words = Field(title="Title")
    unit: str = Field(title="Unit", description=f"{UNITS_IN_WORDS[0].upper()}{UNITS_IN_WORDS[1:]}.", max_length=20)
    times_s: Annotated[list[Time], Field(min_length=1, max_length=MAX_POINTS)] = Field(
        title="Times", description="From 0 on, ascending.", json_schema_extra={"unit": "s"}
    )
    values: Annotated[list[Number], Field(min_length=1, max_length=MAX_POINTS)] = Field(
        title="Values", description="One per time."
    )
    between: Literal["held", "straight"] = Field(
        default="held",
        title="Between",
        description="A value is held until the next one, or goes there in a straight line.",
    )


class PeriodSection(Section):
    """A named stretch of time."""

    title: Words = Field(title="Title")
    start_s: Time = Field(title="Start", description="From the start.", json_schema_extra={"unit": "s"})
    end_s: Time = Field(title="End", description="After the start.", json_schema_extra={"unit": "s"})


class EnvironmentDocument(SourcedHeader):
    """An environment document of schema `environment/1`."""

    schema_name: Literal["environment/1"] = named()
    duration_s: float = positive("Duration", "s", "How long it lasts.", 1e9)
    profiles: Annotated[
        dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)], ProfileSection],
        Field(min_length=1, max_length=20),
    ] = Field(title="Profiles", description="Name (small letters, digits, _) -> what changes over time.")
    periods: Annotated[list[PeriodSection], Field(max_length=1000)] = Field(
        default=[], title="Periods", description="Named stretches of time, drawn behind traces."
    )
