"""The designs of a run as the API returns them, and uploaded designs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SkipValidation

from engines.running.runner.evaluation import MOST_DECISIONS
from webapp.api.shapes.base import AcceptedValues, Body, Numbers, OneOf, Shape
from webapp.api.shapes.common import Column
from webapp.runs.models import Run


class Designs(Shape):
    """Designs as columns; all lists have `count` entries."""

    run: int
    status: Annotated[str, OneOf(Run.Status.values)]
    total: int = Field(description="Designs stored by now.")
    count: int
    last_chunk: int = Field(description="Give this as `after` to get only what is newer.")
    design: list[int] = Field(description="Numbers of the designs within the run.")
    found_at_evaluation: list[int]
    origin: list[Literal["search", "baseline", "user"]]
    label: list[str]
    columns: list[Column]


class Front(Designs):
    """Designs of the Pareto front alone."""

    front_count: int = Field(description="Designs of the whole front; `count` of them are here.")


class Design(Shape):
    """A design with the decision that rebuilds it."""

    run: int
    design: int
    values: dict[str, float | None]
    found_at_evaluation: int
    origin: str
    label: str
    decision: dict[str, Any]


class Decisions(Body):
    """User-made designs, each given by its decision in the form of `design/<n>/`."""

    decisions: Annotated[
        list[SkipValidation[dict[str, Any]]],  # the engine says what is wrong with one
        AcceptedValues(f"a list of 1 to {MOST_DECISIONS} decisions, as design/<n>/ gives them"),
        Field(min_length=1, max_length=MOST_DECISIONS),
    ]


class DecisionScores(Shape):
    """The numbers of decisions, one entry per decision in every list."""

    run: int
    count: int
    columns: list[Column]
    feasible: list[bool] = Field(description="Whether all constraints are met.")
    broken: list[list[str]] = Field(description="Names of the constraints that are not met.")
    decision: list[dict[str, Any]] = Field(description="Decisions as the engine reads them.")


class Results(Shape):
    """Results as `engines.contract.encoding.result_json.to_json` writes them; `type` says which kind each is."""

    run: int
    results: list[dict[str, Any]]


class RunResults(Results):
    """Results of a run as a whole, by name."""

    count: int = Field(description="How many there are in all.")


class Convergence(Shape):
    """How the run went, one entry per stored step."""

    run: int
    count: int = Field(description="How many steps there are in all.")
    step: list[int]
    evaluations: list[int]
    design_count: list[int]
    time_s: list[float] = Field(description="Seconds since the first step's report.")
    fraction: list[float]
    hypervolume: Numbers
    metrics: dict[str, Numbers]
    reference: list[float] = Field(description="Reference point of the hypervolume, one value per objective.")
