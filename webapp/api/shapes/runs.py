"""Problems, plans and runs, as the interface takes and shows them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasPath, BeforeValidator, Field, SkipValidation

from engines.contract.plan import Bound, PlanCheck
from engines.running.time_limits import MAX_MINUTES
from webapp.api.shapes.base import AcceptedValues, Body, OneOf, Shape
from webapp.runs.bundles.import_mark import mark_words
from webapp.runs.models import Run as StoredRun

ENDING = "Minutes of compute time (above 0; without the queue) after which the run stops and keeps its designs. "


class Problem(Body):
    """The problem document that browser, command line, notebook and this interface exchange.

    It describes; `webapp.runs.inputs.documents` reads, as for all of them.
    """

    engine: str
    inputs: dict[str, Any] = Field(
        {}, description='Input -> slug, "slug@2", "project/slug", or {"slug": ..., "version": ...}.'
    )
    params: dict[str, Any] = Field({}, description="Parameters; what is left out takes its default.")
    seed: int = Field(0, ge=0)
    stop_after_minutes: float | None = Field(
        None,
        gt=0,
        le=MAX_MINUTES,
        description=ENDING + "No part of the problem and of its hash. Null or left out: it runs to its end.",
    )

    measure: dict[str, Any] | None = Field(
        None,
        description='Designs to measure during the search: {"device": 1, "designs": 8}, optionally with "threads" (1) '
        'and "wait_minutes" (10). After that time a silent device is given up. It does not change the hash '
        "of the problem.",
    )


class NewRun(Problem):
    """A problem document and where its run belongs."""

    title: str = ""
    project: str = Field("", description="Slug of the project; your personal one by default.")
    parent: int | None = Field(None, description="Number of the run that this one is started from.")


class Plan(Shape):
    """The plan of a run."""

    problem_hash: str
    evaluations: int
    memory_mb: float
    time_s: tuple[float, float] = Field(description="Low, high.")
    needs: list[str]
    determinism: Literal["exact", "pinned"]
    checks: list[PlanCheck]
    bounds: list[Bound]
    notes: list[str]


def _pinned(inputs: Any) -> dict[str, str]:
    return {item.slot: f"{item.slug}@{item.version}" for item in inputs.all()}


def _mark(imported: Mapping[str, Any]) -> str:
    return mark_words(imported)


class Run(Shape):
    """A run in a list."""

    id: int
    title: str
    project: str = Field(validation_alias=AliasPath("project", "slug"))
    owner: str = Field(validation_alias=AliasPath("owner", "username"))
    engine: str
    engine_version: int
    inputs: Annotated[dict[str, str], BeforeValidator(_pinned)] = Field(description='Input -> "slug@version".')
    seed: int
    status: Annotated[str, OneOf(StoredRun.Status.values)]
    wish: Annotated[str, OneOf(StoredRun.Wish.values)]
    outcome: Annotated[str, OneOf(StoredRun.Outcome.values)]
    fraction: float
    message: str
    metrics: dict[str, Any]
    evaluations: int
    design_count: int
    created: datetime
    queued_at: datetime
    started: datetime | None
    finished: datetime | None
    parent: int | None = Field(validation_alias="parent_id")
    study: int | None = Field(validation_alias="study_id")
    cell: dict[str, Any]
    problem_hash: str
    stop_after_minutes: float | None
    measure: dict[str, Any] = Field(description="Designs that a device measures during the search; {} for none.")
    computed_s: float = Field(description="Seconds of computing, all attempts together, without the queue.")
    time_limit_reached: bool = Field(description="Whether it stopped because of `stop_after_minutes`.")
    imported: Annotated[str, BeforeValidator(_mark)] = Field(
        description="Empty for a run of this installation, else exactly what of it was checked when it came."
    )


class RunDetail(Run):
    """A run with its problem, its plan and how it ended."""

    params: dict[str, Any]
    problem: dict[str, Any]
    plan: dict[str, Any]
    platform: dict[str, Any]
    outcome_detail: dict[str, Any]
    step_number: int
    attempt: int
    attempt_reasons: list[Any]
    priority: int


class Wish(Body):
    """The state that people request for a run."""

    wish: Annotated[Literal["stop"], AcceptedValues('"stop" and nothing else; to continue, POST to continue/')]


class MoreTime(Body):
    """How long a run may continue. Without a body a run that reached its time limit continues for as long again."""

    more_minutes: SkipValidation[float | None] = Field(  # the service says what is wrong with it
        None,
        gt=0,
        le=MAX_MINUTES,
        description="Minutes of computing from now on, above 0; null: without a time limit.",
    )


class Continuation(Shape):
    """How a continued run continues."""

    run: Run
    from_step: int = Field(description="The step after which it continues; 0 is the beginning.")
    design_count: int = Field(description="Designs that are kept.")
    text: str


class RunFile(Shape):
    """A file that a run produced."""

    name: str
    media_type: str
    size_bytes: int = Field(validation_alias=AliasPath("blob", "size"))
    sha256: str = Field(validation_alias="blob_id")


class LogLine(Shape):
    """A line of the log."""

    number: int
    attempt: int
    level: str
    text: str
    time: datetime


class Log(Shape):
    """Lines of the log; give `last` as `after` to get only what is newer."""

    run: int
    last: int
    lines: list[LogLine]
