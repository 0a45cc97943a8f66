"""Studies, as the interface takes and shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AliasPath, BeforeValidator, Field

from engines.contract.quantities import Quantity
from engines.running.time_limits import MAX_MINUTES
from webapp.api.shapes.base import Body, OneOf, Shape
from webapp.runs.models import Run
from webapp.studies.service import Progress


class NewStudy(Body):
    """A study document: one engine over a grid of inputs, parameters and seeds.

    It describes; `webapp.studies.cell_checks` reads, as for pages.
    """

    engine: str
    inputs: dict[str, Any] = Field({}, description="Input -> slug, or a list of slugs: one more axis.")
    params: dict[str, Any] = Field({}, description='Name -> value, or {"each": [values]}: one more axis.')
    seeds: list[Annotated[int, Field(ge=0)]] = Field([0], description="[0] by default.")
    stop_after_minutes: float | None = Field(
        None,
        gt=0,
        le=MAX_MINUTES,
        description="Time limit of every run in minutes of computing, as of a single run.",
    )
    title: str = ""
    project: str = Field("", description="Slug of the project; your personal one by default.")
    version: int | None = Field(None, description="Version of the engine; refused if another is installed.")


class StudyEstimate(Shape):
    """The plan of a study."""

    cells: int
    evaluations: int
    time_s: tuple[float, float] = Field(description="Low, high: of all runs on one worker.")
    longest_s: float = Field(description="Upper end of the longest run.")
    memory_mb: float = Field(description="Memory of the largest run.")
    needs: Annotated[list[str], BeforeValidator(sorted)]
    misfits: list[str] = Field(description="Cells with a check that is not met.")
    notes: list[str]


class Study(Shape):
    """A study and its progress."""

    id: int
    title: str
    project: str
    owner: str
    engine: str
    engine_version: int
    document: dict[str, Any]
    created: datetime
    progress: Progress


class StudyChange(Shape):
    """How many runs a wish concerned, and the study afterwards."""

    runs: int
    study: Study


class StudyRun(Shape):
    """A run of a cell; `value` is null before its first design."""

    id: int = Field(validation_alias=AliasPath("run", "pk"))
    status: Annotated[str, OneOf(Run.Status.values)] = Field(validation_alias=AliasPath("run", "status"))
    outcome: str = Field(validation_alias=AliasPath("run", "outcome"))
    value: float | None


class StudyCell(Shape):
    """The median over a cell's runs that have a value, and those runs in the order of their seeds."""

    median: float | None
    min: float | None = Field(validation_alias="low")
    max: float | None = Field(validation_alias="high")
    values: int = Field(validation_alias="count", description="How many runs have a value.")
    runs: list[StudyRun]


class StudyRow(Shape):
    """A row: its place on the row axes, and a cell per column."""

    key: list[Any]
    cells: list[StudyCell]


class StudyTable(Shape):
    """Rows x columns of medians."""

    study: int
    quantity: Quantity
    row_axes: Annotated[list[str], BeforeValidator(lambda axes: [axis.name for axis in axes])]
    column_axis: str
    columns: list[Any]
    rows: list[StudyRow]


class StudyGroupRun(Shape):
    """A run that has ended; `value` is null where no design meets the constraints."""

    id: int
    seed: int
    value: float | None
    front_size: int = Field(description="Designs on the front.")
    front_points: int = Field(description="Points of the front: designs with equal objectives are one.")


class StudyLeftOut(Shape):
    """A run that the statistics exclude."""

    id: int
    status: str


class StudyGroup(Shape):
    """The runs of one value of the compared axis."""

    value: Any
    left_out: int = Field(description="Runs that wait, work, were stopped or failed: they take no part.")
    left_out_runs: list[StudyLeftOut]
    found_nothing: list[int] = Field(
        description="Numbers of runs without a design within the limits: hypervolume 0, worse than every best value in the tests."
    )
    median: float | None
    median_run: int | None
    runs: list[StudyGroupRun]
    surfaces: dict[str, list[list[float]]] = Field(
        description="Share of the runs -> corners of the surface that they attain; for two and three objectives."
    )
    growth: dict[str, list[list[float]]] = Field(
        description="Share of the runs -> evaluations and share of the joint hypervolume by then; empty for very many designs."
    )


class StudyPair(Shape):
    """Two groups by position: Mann and Whitney's test, Holm's correction over all pairs, Vargha and Delaney's A."""

    first: int
    second: int
    effect: float = Field(description="Chance that a run of the first is better than one of the second, 0..1.")
    p_value: float
    adjusted: float = Field(description="p_value after Holm's correction.")
    least_possible: float = Field(description="The least `adjusted` that so few runs could have, without ties.")
    significant: bool = Field(description="Whether `adjusted` is at most 0.05.")


class StudyStatistics(Shape):
    """The statistics over seeds of the groups at one place."""

    study: int
    by: str
    place: dict[str, Any]
    measure: Quantity
    objectives: list[Quantity]
    reference: list[float] | None
    joint_hypervolume: float = Field(description="Hypervolume of all runs' joint front, in the product of the units.")
    groups: list[StudyGroup]
    pairs: list[StudyPair]
    all_same_p_value: float | None = Field(description="Kruskal and Wallis; null for one group.")
    all_same_error: float | None = Field(
        description="Two standard errors of `all_same_p_value`; 0 where it is counted."
    )
    equal_fronts: bool = Field(description="Whether all runs that have ended found the same points.")
