"""The exact search over all clock settings, those that promise most first, whole settings ruled out by bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.quantities import Sense
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.open_results import MOST_OPEN, OpenResults
from engines.mapping.solver.unit_mapping import (
    FrontSearch,
    MappingFront,
    MappingLimits,
    SettingBounds,
    UnitCosts,
    best_with_power,
    less_power,
    settings_within,
)
from engines.search.dominance import non_dominated_by_group
from engines.search.indicators import hypervolume, reference_point

_TOGETHER = 8  # settings in one search
_SETTINGS_OF_A_BOUND = 64
SENSES: tuple[Sense, Sense] = ("minimise", "minimise")


@dataclass(frozen=True)
class Progress:
    """Where the search stands.

    Attributes:
        front: found in this piece of the search.
        rest: settings that are left, in order.
        searched: settings that were searched so far.
        labels: partial mappings that were looked at so far.
        error_s: largest `latency_error_s` so far.
    """

    front: MappingFront
    rest: IntArray
    searched: int
    labels: int
    error_s: float


def search_exactly(
    instance: Instance, labels: int, known: FloatArray, resumed: Progress | None = None
) -> Iterator[Progress]:
    """Yield one progress per piece of the search.

    Args:
        instance: problem of the search.
        labels: partial mappings kept per unit and setting.
        known: latency and energy of what a resumed search found before, shape `k x 2`.
        resumed: where to continue, without its front.
    """
    costs = instance.searched_costs
    search = FrontSearch(costs, instance.limits, labels, by_power=instance.by_power)
    # With power as an objective settings are ruled out by E - P T in the place of E.
    power_w = search.power_bound_w if instance.by_power else 0.0
    bounds = SettingBounds(less_power(costs, power_w) if power_w else costs)
    rest = resumed.rest if resumed is not None else within(instance.limits, costs, bounds.order())
    searched, total, error = (0, 0, 0.0) if resumed is None else (resumed.searched, resumed.labels, resumed.error_s)
    while len(rest):
        now, rest = rest[:_TOGETHER], rest[_TOGETHER:]
        front = search.front(now.tolist(), known)
        searched, total, error = searched + len(now), total + front.labels, max(error, front.latency_error_s)
        known = best_points(np.concatenate([known, points_of(front)]), by_power=instance.by_power)
        rest = bounds.hopeful(rest, known - power_w * known[:, [0]] * [0.0, 1.0])
        yield Progress(front, rest, searched, total, error)


def left_out(instance: Instance, labels: int, front: FloatArray) -> tuple[int, float | None]:
    """Return results that no search tells apart, and the share of a bound's hypervolume (in %) that the front (`k x 2`) reaches.

    None in place of the share for more settings than are worth a second search.
    """
    costs = instance.searched_costs
    count = OpenResults(costs, MOST_OPEN).left_out
    if not count or costs.settings > _SETTINGS_OF_A_BOUND:
        return count, None
    bound = FrontSearch(costs, instance.limits, labels, by_power=instance.by_power).front(range(costs.settings)).bound
    together = best_points(np.concatenate([bound, front]))
    corner = reference_point(np.concatenate([together, front]), SENSES)
    return count, 100 * hypervolume(front, SENSES, corner) / hypervolume(together, SENSES, corner)


def within(limits: MappingLimits, costs: UnitCosts, settings: IntArray) -> IntArray:
    """Return the settings (numbers, shape `n`) that may have mappings within the limits, in the same order."""
    return settings[settings_within(costs, limits)[settings]]


def exact_points(instance: Instance, labels: int) -> tuple[FloatArray, float]:
    """Return the latency and energy of the whole front, shape `k x 2`, and by how much it may be off in seconds."""
    known, error = np.empty((0, 2)), 0.0
    for progress in search_exactly(instance, labels, known):
        together = np.concatenate([known, points_of(progress.front)])
        known, error = best_points(together, by_power=instance.by_power), progress.error_s
    return known, error


def points_of(front: MappingFront) -> FloatArray:
    """Return the latency and energy, shape `k x 2`."""
    return np.column_stack([front.scores.latency_s, front.scores.energy_j])


def best_points(points: FloatArray, *, by_power: bool = False) -> FloatArray:
    """Return the non-dominated ones (in average power as well), by rising latency; latency and energy, shape `k x 2`."""
    if by_power:
        keep = best_with_power(points[:, 0], points[:, 1])
        return points[keep][np.lexsort((points[keep, 1], points[keep, 0]))]
    keep = non_dominated_by_group(np.zeros(len(points), np.int64), points[:, 0], points[:, 1])
    return points[keep][np.argsort(points[keep, 0], kind="stable")]
