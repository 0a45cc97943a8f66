"""How hypervolume grew with evaluations in the runs of a study, up to the one reference point that all of them share.

A run's own curve (`webapp.runs.storage.convergence`) has a reference point of its own, so that curves of two runs cannot be laid
over each other. Over seeds a growing hypervolume is a front like any other: few evaluations, much hypervolume. So half of the runs
attain what the median surface of `engines.search.attainment` says.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.bounded_cache import BoundedCache
from engines.contract.designs import FACTS, Designs, table_from_bytes
from engines.contract.quantities import Quantity, objectives_of
from engines.search.attainment import attainment_surfaces
from engines.search.indicators import OnlineFront
from webapp.runs.models import DesignChunk
from webapp.studies.statistics import HYPERVOLUME, QUARTILES, RunMeasure, StudyStatistics, shares_of
from webapp.studies.values import RunRow

EVALUATIONS = Quantity("evaluations", "Evaluations", "", "minimise", "metric", "Evaluations of the search so far.")
MOST_DESIGNS = 200_000  # of all runs of a place; reading and ordering more takes longer than anybody waits for a page
_POINTS = 30  # of a run's curve: so often its hypervolume is computed
_KEPT_RUNS, _KEPT_BYTES = 5_000, 8 * 2**20
_State = tuple[int, int, int, int, tuple[str, ...], tuple[float, ...]]
_kept: BoundedCache[_State, FloatArray] = BoundedCache(_KEPT_RUNS, _KEPT_BYTES, lambda curve: curve.nbytes)


def growth_surfaces(found: StudyStatistics) -> list[tuple[FloatArray, ...]]:
    """Return for each group what a quarter, half and three quarters of its runs attain (`statistics.QUARTILES`), `k x 2` each.

    Columns are evaluations and hypervolume as a share of that of the joint front. An empty list where there is nothing to dominate,
    or where the runs have more than `MOST_DESIGNS` designs.
    """
    runs = [each for group in found.groups for each in group.runs]
    too_many = sum(each.run.design_count for each in runs) > MOST_DESIGNS
    if found.reference is None or not found.joint or too_many:
        return []
    curves = [[_curve(each, found) for each in group.runs] for group in found.groups]
    return [attainment_surfaces(each, (EVALUATIONS.sense, HYPERVOLUME.sense), QUARTILES) for each in curves]


def growth_of(designs: Designs, quantities: Sequence[Quantity], reference: FloatArray) -> FloatArray:
    """Return the evaluations and hypervolume at most `_POINTS` times, shape `k x 2`, ascending; of counted designs alone.

    Args:
        designs: designs of one run.
        quantities: meaning of its columns.
        reference: one value per objective.
    """
    objectives = objectives_of(quantities)
    rows = np.flatnonzero(designs.counted([each for each in quantities if each.name in designs.columns]))
    rows = rows[np.argsort(designs.found_at_evaluation[rows], kind="stable")]
    values, at = designs.matrix(each.name for each in objectives)[rows], designs.found_at_evaluation[rows]
    moments = np.unique(at)
    moments = moments[np.unique(np.linspace(0, len(moments) - 1, _POINTS).round().astype(int))] if len(moments) else at
    front, found, done = OnlineFront([each.sense for each in objectives], reference), [], 0
    for moment in moments.tolist():
        end = int(np.searchsorted(at, moment, side="right"))
        front.add(values[done:end])
        found.append((float(moment), front.hypervolume))
        done = end
    return np.array(found, dtype=np.float64).reshape(-1, 2)


def _curve(measured: RunMeasure, found: StudyStatistics) -> FloatArray:
    run, reference = measured.run, found.reference
    assert reference is not None  # the caller has looked
    names = tuple(each.name for each in found.objectives)
    state = (run.pk, run.attempt, run.step_number, run.design_count, names, tuple(reference.tolist()))
    curve = _kept.get(state)
    if curve is None:
        curve = _kept.put(state, growth_of(_designs(run, found.quantities), found.quantities, reference))
    return np.column_stack([curve[:, 0], shares_of(curve[:, 1], found.joint)])


def _designs(run: RunRow, quantities: Sequence[Quantity]) -> Designs:
    names = [each.name for each in quantities if each.role in ("objective", "constraint")]
    chunks = DesignChunk.objects.filter(run_id=run.pk).order_by("number").values_list("scalars", flat=True)
    return Designs.from_scalars([table_from_bytes(bytes(data), (*names, *FACTS)) for data in chunks], names)
