"""Published and computed values, as the interface shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from engines.reproduction.comparisons import Kind, Test
from engines.reproduction.verdicts import VERDICTS
from webapp.api.shapes.base import AcceptedValues, Body, OneOf, Shape


class Comparison(Shape):
    """One published and one computed value, with the verdict, and where it was computed."""

    name: str
    reading: str
    published: float | None = Field(description="Null without a published value.")
    published_high: float | None = Field(description="The upper end where a range is published.")
    ours: float | None = Field(description="Null where the reading cannot give one, and where it is not computed yet.")
    unit: str
    kind: Kind
    test: Test = Field(description="How the two are compared.")
    baseline: float | None = Field(description="Neutral value of an effect or a trend.")
    seeds: list[float] | None = Field(description="Least and largest computed value over seeds, for trained networks.")
    anchor: str
    where: str
    ordering: bool | None
    why: str
    group: str
    sources: list[str] = Field(description="Published values that it shows.")
    inputs: list[str] = Field(description="Values that went into the computed one.")
    ratio: float | None
    verdict: Annotated[str, OneOf(VERDICTS)]
    computed_at: Literal["release", "site"] | None


class PublishedValue(Shape):
    """A published value; a string if the publication gives text."""

    anchor: str
    name: str
    value: Any
    unit: str
    where: str


class NotCompared(Shape):
    """Published values without a computed one, and why."""

    because: str
    values: list[PublishedValue]


class ValueOrigin(Shape):
    """Where values of ours are from: the release of the software, or this site."""

    at: Literal["release", "site"]
    computed: Annotated[str, BeforeValidator(lambda when: when.isoformat())] = Field(
        description="When, in ISO 8601; of a release, the day."
    )
    versions: dict[str, int]
    quick: bool
    duration_s: float | None
    outdated: bool
    words: str


class ReproductionSummary(Shape):
    """Every published value of one method, with ours as computed here, else at release."""

    method: str
    source: str
    outdated: bool
    computed: list[ValueOrigin]
    expected_s: dict[str, float]
    verdicts: dict[str, str]
    comparisons: list[Comparison]
    not_compared: list[NotCompared]


class NewReproduction(Body):
    """The reproduction to compute, and the project of the run."""

    quick: Annotated[bool, AcceptedValues("true or false")] = Field(
        False, description="Only the comparisons that matter most."
    )
    project: Annotated[str | None, AcceptedValues("the slug of a project")] = None
