"""Statistics over the seeds of a study: fronts that half of the runs attain, hypervolumes, and significant differences.

Groups are the values of one axis (a parameter, an input); every other axis but the seeds is held at one value. Only runs that have
ended by themselves take part: a run that was stopped, or that failed, says nothing about what its method can do. A run that ended
without a design within the limits is a result, the worst: it has hypervolume 0, and ranks below every run that has a best value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import inf
from statistics import median_low
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.quantities import Quantity, objectives_of
from engines.running.inspection import run_quantities
from engines.search.attainment import OBJECTIVES, attainment_surfaces
from engines.search.indicators import distinct_points, hypervolume, reference_point
from engines.search.significance import Comparison, compare_all, kruskal_wallis, kruskal_wallis_error, rounded
from webapp.runs.models import Run
from webapp.studies.document import SEED, WORKLOADS, Axis, Grid
from webapp.studies.fronts import fronts_of
from webapp.studies.models import Study
from webapp.studies.service import grid_of
from webapp.studies.tables import primary_quantity
from webapp.studies.values import FIELDS, RunRow, RunValues, tabulated, values_of

HYPERVOLUME = Quantity(
    "hypervolume", "Hypervolume", "of one", "maximise", "metric",
    "Share of the joint front of all shown runs that a run's front dominates.",
)  # fmt: skip
QUARTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class RunMeasure:
    """The measure of one ended run; `value` is None if it has none."""

    run: RunRow
    value: float | None
    front: FloatArray

    @property
    def found_nothing(self) -> bool:
        """Whether no design of it meets the limits."""
        return self.value in (None, 0.0) and not len(self.front)


@dataclass(frozen=True)
class Group:
    """The runs of one value of the axis, in the order of their seeds.

    Attributes:
        value: value of the axis; None where there is no axis.
        runs: runs that have ended by themselves.
        others: those that have not (waiting, at work, stopped, failed).
    """

    value: Any
    runs: tuple[RunMeasure, ...]
    others: tuple[RunRow, ...]

    @property
    def left_out(self) -> int:
        """How many runs take no part."""
        return len(self.others)

    @property
    def values(self) -> list[float]:
        """The values there are, in the order of the runs."""
        return [each.value for each in self.runs if each.value is not None]

    @property
    def found_nothing(self) -> tuple[RunRow, ...]:
        """The runs without a design within the limits."""
        return tuple(each.run for each in self.runs if each.found_nothing)

    def ranked(self, worst: float) -> list[float]:
        """Return the values that tests compare: `worst` for a run without designs."""
        values = [worst if each.value is None and each.found_nothing else each.value for each in self.runs]
        return [value for value in values if value is not None]

    @property
    def median_run(self) -> RunMeasure | None:
        """The run with the median value, of two in the middle the lesser one; None without values."""
        having = [each for each in self.runs if each.value is not None]
        if not having:
            return None
        middle = median_low(self.values)
        return next(each for each in having if each.value == middle)


@dataclass(frozen=True)
class StudyStatistics:
    """Groups of one place of a study.

    Attributes:
        axis: name of the axis whose values are compared, "" for one group of all runs.
        place: fixed values of the other axes.
        measure: metric of the values; `HYPERVOLUME` or a quantity of the engine.
        objectives: the `m` columns of the fronts.
        reference: for the hypervolume: the worst of all fronts and a tenth beyond; None without designs.
        joint: hypervolume of the joint front, in the product of the objectives' units.
        quantities: all columns of the engine, with the roles that they have here.
    """

    axis: str
    place: Mapping[str, Any]
    measure: Quantity
    objectives: tuple[Quantity, ...]
    groups: tuple[Group, ...]
    reference: FloatArray | None
    joint: float
    quantities: tuple[Quantity, ...]

    @cached_property
    def samples(self) -> list[list[float]]:
        """Return what the tests compare, group by group."""
        return [group.ranked(-inf if self.measure.sense == "maximise" else inf) for group in self.groups]

    @cached_property
    def pairs(self) -> tuple[Comparison, ...]:
        """Every two groups, by position."""
        return compare_all(self.samples, "high" if self.measure.sense == "maximise" else "low")

    @cached_property
    def all_same(self) -> float:
        """P-value of Kruskal and Wallis that no group differs from another; NaN for fewer than two."""
        return kruskal_wallis(self.samples)

    @cached_property
    def all_same_error(self) -> float:
        """How far off `all_same` may be (two standard errors); 0 where it is counted."""
        return kruskal_wallis_error(self.samples, self.all_same)

    @cached_property
    def equal_fronts(self) -> bool:
        """Whether all runs that have ended found the same points, to the digits that tests compare; False for fewer than two."""
        fronts = [each.front for group in self.groups for each in group.runs]
        return len(fronts) > 1 and len({_points(front) for front in fronts}) == 1

    @property
    def equal_values(self) -> bool:
        """Whether all that the tests compare is one value; False for fewer than two."""
        values = rounded([value for sample in self.samples for value in sample])
        return len(values) > 1 and len(set(values)) == 1

    def surfaces(self, group: Group, x: Quantity, y: Quantity) -> tuple[FloatArray, ...]:
        """Return the quartiles and median (`QUARTILES`) of what the group's runs attain over two objectives, `k x 2` each."""
        at = [self.objectives.index(x), self.objectives.index(y)]
        fronts = [each.front[:, at] for each in group.runs]
        return attainment_surfaces(fronts, (x.sense, y.sense), QUARTILES)

    def all_surfaces(self, group: Group) -> tuple[FloatArray, ...]:
        """Return the same over all objectives, `k x m` each; none where they are neither two nor three."""
        if len(self.objectives) not in OBJECTIVES:
            return ()
        senses = [quantity.sense for quantity in self.objectives]
        return attainment_surfaces([each.front for each in group.runs], senses, QUARTILES)


def group_axes(grid: Grid) -> tuple[str, ...]:
    """Return the axes whose values may be compared, which keep the workload fixed; "" compares nothing."""
    varying = [axis.name for axis in grid.varying if axis.name != SEED]
    return (*sorted(varying, key=lambda name: name == WORKLOADS), "")


def usual_axis(grid: Grid) -> str:
    """Return the first axis that is not the workload: the hypervolumes of two workloads have nothing to do with each other."""
    return next(name for name in group_axes(grid) if name != WORKLOADS)


def places(grid: Grid, axis: str) -> tuple[Mapping[str, Any], ...]:
    """Return everything that the other axes can be held at."""
    held = [each for each in grid.varying if each.name not in (axis, SEED)]
    return tuple(
        dict(zip([each.name for each in held], values, strict=True))
        for values in product(*(each.values for each in held))
    )


def measures(grid: Grid) -> tuple[Quantity, ...]:
    """Return the metrics to compare runs by: the hypervolume, then the best value of each quantity with a sense."""
    return (HYPERVOLUME, *tabulated(grid.engine.quantities))


def study_statistics(
    study: Study, axis: str | None = None, place: int | None = None, measure: str | None = None
) -> StudyStatistics:
    """Return the statistics of one place. The caller has asked for the study.

    Args:
        study: the study.
        axis: one of `group_axes`; `usual_axis` where left out.
        place: position in `places`, the first where left out.
        measure: name of one of `measures`, the hypervolume where left out; with one objective what the engine searches for.

    Raises:
        ProblemError: an axis, a place or a measure that the study does not have; field "by", "at" or "measure".
    """
    grid = grid_of(study)
    chosen = usual_axis(grid) if axis is None else _one_of("by", axis, group_axes(grid))
    held = places(grid, chosen)
    if place is not None and not 0 <= place < len(held):
        raise ProblemError("at", place, f"a number from 0 to {len(held) - 1}")
    known = {each.name: each for each in measures(grid)}
    quantities = quantities_at(grid, chosen, held[place or 0])
    objectives = objectives_of(quantities)
    usual = HYPERVOLUME if len(objectives) > 1 else primary_quantity(grid)
    shown = usual if measure is None else known[_one_of("measure", measure, tuple(known))]
    across = next((each for each in grid.axes if each.name == chosen), None)
    runs = _runs_at(study, grid, held[place or 0])
    return _grouped(quantities, across, held[place or 0], shown, runs)


def quantities_at(grid: Grid, axis: str, place: Mapping[str, Any]) -> tuple[Quantity, ...]:
    """Return the engine's columns; objectives are those that every value of the axis pursues, where there are any."""
    across = next((each.values for each in grid.axes if each.name == axis), (None,))
    fixed = {each.name: each.values[0] for each in grid.axes}
    known = [
        run_quantities(grid.engine, grid.params_of({**fixed, **place, **({axis: value} if axis else {})}))
        for value in across
    ]
    pursued = [{q.name for q in objectives_of(each)} for each in known]
    shared = set.intersection(*pursued)
    if not shared:
        return known[0]
    return tuple(replace(q, role="metric") if q.role == "objective" and q.name not in shared else q for q in known[0])


def _one_of(field: str, got: str, accepted: Sequence[str]) -> str:
    if got not in accepted:
        raise ProblemError(field, got, "one of " + ", ".join(name or '""' for name in accepted))
    return got


def _runs_at(study: Study, grid: Grid, place: Mapping[str, Any]) -> list[RunRow]:
    """Return the runs of the study at a place, by axis values: parameters come back from the database as JSON has them."""
    axes = {axis.name: axis for axis in grid.axes}
    wanted = {name: axes[name].position(value) for name, value in place.items()}
    rows = [
        RunRow(*row)
        for row in Run.objects.filter(study=study, deleted__isnull=True).order_by("pk").values_list(*FIELDS)
    ]
    return [
        run for run in rows if all(axes[name].position(run.cell.get(name)) == at for name, at in wanted.items())
    ]  # fmt: skip


def _grouped(
    quantities: tuple[Quantity, ...],
    axis: Axis | None,
    place: Mapping[str, Any],
    measure: Quantity,
    runs: Sequence[RunRow],
) -> StudyStatistics:
    objectives = objectives_of(quantities)
    ended = [run for run in runs if run.status == Run.Status.DONE]
    fronts = fronts_of(ended, quantities)
    reference, joint = _joint([fronts[run.pk] for run in ended], objectives)
    values = values_of(ended, quantities) if measure != HYPERVOLUME else {}
    senses = [quantity.sense for quantity in objectives]

    def value(run: RunRow) -> float | None:
        if measure != HYPERVOLUME:
            return values.get(run.pk, RunValues()).best.get(measure.name)
        if reference is None or not joint:
            return None
        return shares_of(hypervolume(fronts[run.pk], senses, reference), joint).item()

    groups = []
    for position, at in enumerate(axis.values if axis else (None,)):
        members = [run for run in runs if axis is None or axis.position(run.cell.get(axis.name)) == position]
        done = [run for run in members if run.status == Run.Status.DONE]
        others = tuple(run for run in members if run.status != Run.Status.DONE)
        groups.append(Group(at, tuple(RunMeasure(run, value(run), fronts[run.pk]) for run in done), others))
    name = axis.name if axis else ""
    return StudyStatistics(name, place, measure, objectives, tuple(groups), reference, joint, quantities)


def shares_of(volumes: npt.ArrayLike, joint: float) -> FloatArray:
    """Return the hypervolumes as shares of that of the joint front, at most 1, with the digits that tests compare.

    The shape of `volumes`.
    """
    shares = np.asarray(volumes, dtype=np.float64) / joint
    capped: FloatArray = np.minimum(1.0, np.reshape(rounded(shares.ravel().tolist()), shares.shape))
    return capped


def _points(front: FloatArray) -> bytes:
    """Return a front's distinct points, to the digits that tests compare."""
    return distinct_points(np.reshape(rounded(front.ravel().tolist()), front.shape)).tobytes()


def _joint(fronts: Sequence[FloatArray], objectives: Sequence[Quantity]) -> tuple[FloatArray | None, float]:
    """Return the common reference point and the hypervolume of the joint front up to it."""
    having = [front for front in fronts if len(front)]
    if not having:
        return None, 0.0
    senses = [quantity.sense for quantity in objectives]
    together = np.concatenate(having)
    reference = reference_point(together, senses)
    return reference, hypervolume(together[non_dominated(together, senses)], senses, reference)
