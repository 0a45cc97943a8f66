"""The exact front of mean latency and mean energy over all choices of exits and all clock settings, where correctness is nested.

With nested correctness the share of inputs that is still inside after an exit depends on that exit alone. What an input costs in
the mean is then a sum over consecutive exits j, i of a choice,

    staying_j * (trunk from j to i + head of i),

so that a choice is a path from the input to the last end, and partial paths that end at the same exit at the same setting can be
compared. Least costs to go, by dynamic programming for all settings at once, rule out settings and partial paths: nothing is lost
by them. Sums of the two costs with weights bound settings as in `engines.mapping.solver.setting_bounds`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.search.dominance import non_dominated_by_group
from engines.search.ends.correctness import Correctness, NestedCorrectness, shares_leaving
from engines.search.ends.costs import EndCosts, expected_cost

_ROUNDING = 1e-12  # relative: sums in another order differ by less
_SLOPES = np.array([1 / 4, 1.0, 4.0])


@dataclass(frozen=True, eq=False)
class PathFront:
    """Choices of which none beats another in both costs, by rising latency.

    Attributes:
        chosen: which ends, the last always, shape `k x n`.
        setting: clock setting of each, shape `k`.
        latency_s, energy_j: means over all inputs, shape `k`.
        settings_searched: how many settings bounds did not rule out.
    """

    chosen: BoolArray
    setting: IntArray
    latency_s: FloatArray
    energy_j: FloatArray
    settings_searched: int


class _Stages:
    """Costs of stages between ends. Place 0 is the input, place i + 1 is end i; `staying` is of the input 1.

    Attributes:
        staying: shape `n + 1`.
        to_go: of each cost the least from a place to the last end, shape `2 x (n + 1) x s`.
    """

    def __init__(self, correctness: NestedCorrectness, costs: tuple[EndCosts, EndCosts]) -> None:
        best = np.maximum.accumulate(correctness.accuracy)
        self.staying = np.concatenate([[1.0], 1.0 - best])
        self.places = len(self.staying)
        trunk = np.stack([np.cumsum(each.parts, axis=0) for each in costs])
        self.passed = np.concatenate([np.zeros_like(trunk[:, :1]), trunk], axis=1)
        heads = np.stack([each.heads for each in costs])
        self.reached = self.passed + np.concatenate([np.zeros_like(heads[:, :1]), heads], axis=1)
        self.to_go = self.least(self.passed, self.reached)

    def stage(self, before: int, place: int, settings: IntArray) -> FloatArray:
        """Return both costs of going from a place to a later one, shape `2 x s`."""
        return np.asarray(
            self.staying[before] * (self.reached[:, place][:, settings] - self.passed[:, before][:, settings])
        )

    def least(self, passed: FloatArray, reached: FloatArray) -> FloatArray:
        """Return the least cost from every place to the last end, shape as `passed`; places are on its last axis but one."""
        to_go = np.zeros_like(passed)
        for before in range(self.places - 2, -1, -1):
            later = slice(before + 1, None)
            stages = self.staying[before] * (reached[..., later, :] - passed[..., before, None, :])
            to_go[..., before, :] = (stages + to_go[..., later, :]).min(axis=-2)
        return to_go


def exact_front(correctness: NestedCorrectness, latency_s: EndCosts, energy_j: EndCosts) -> PathFront:
    """Return the whole front; of choices with equal costs one is given.

    Args:
        correctness: correctness of `n` ends.
        latency_s: latency in seconds of the same `n` ends at `s` settings.
        energy_j: likewise.
    """
    costs = (latency_s, energy_j)
    stages = _Stages(correctness, costs)
    known = _known_points(stages)
    settings = _hopeful(stages, known)
    labels = _Labels(stages, settings, known)
    chosen, numbers = labels.choices()
    setting = settings[numbers]
    keep, points = best_choices(correctness, costs, chosen, setting)
    return PathFront(chosen[keep], setting[keep], points[:, 0], points[:, 1], len(settings))


def mean_costs(
    correctness: Correctness, costs: tuple[EndCosts, EndCosts], chosen: BoolArray, setting: IntArray
) -> FloatArray:
    """Return the mean latency and energy of choices at settings, shape `k x 2`."""
    leaving = shares_leaving(correctness, chosen)
    return np.stack([expected_cost(leaving, each.prefixes(chosen, setting)) for each in costs], axis=1)


def best_choices(
    correctness: Correctness, costs: tuple[EndCosts, EndCosts], chosen: BoolArray, setting: IntArray
) -> tuple[IntArray, FloatArray]:
    """Return the numbers of the choices that none beats, by rising latency, and their mean costs, shape `k x 2`."""
    points = mean_costs(correctness, costs, chosen, setting)
    keep = non_dominated_by_group(np.zeros(len(points), np.int64), points[:, 0], points[:, 1])
    keep = keep[np.argsort(points[keep, 0], kind="stable")]
    return keep, points[keep]


def _known_points(stages: _Stages) -> FloatArray:
    """Return the front of quick candidates: at every setting the choices of least latency and of least energy, shape `k x 2`."""
    every = np.arange(stages.to_go.shape[2])
    points = []
    for cost in range(2):
        place, total = np.zeros(len(every), np.int64), np.zeros((2, len(every)))
        while (place < stages.places - 1).any():
            following = _next_places(stages, cost, place)
            moved = stages.reached[:, following, every] - stages.passed[:, place, every]
            total += np.where(following > place, stages.staying[place] * moved, 0.0)
            place = following
        points.append(total.T)
    return _front_of(np.concatenate(points))


def _next_places(stages: _Stages, cost: int, place: IntArray) -> IntArray:
    """Return where the path of least cost continues from each setting's place; the last end stays."""
    following, last = place.copy(), stages.places - 1
    for before in np.unique(place[place < last]).tolist():
        own = np.flatnonzero(place == before)
        later = stages.reached[cost][before + 1 :, own] - stages.passed[cost][before, own]
        total = stages.staying[before] * later + stages.to_go[cost][before + 1 :, own]
        following[own] = before + 1 + total.argmin(axis=0)
    return following


def _front_of(points: FloatArray) -> FloatArray:
    keep = non_dominated_by_group(np.zeros(len(points), np.int64), points[:, 0], points[:, 1])
    return points[keep[np.argsort(points[keep, 0], kind="stable")]]


def _hopeful(stages: _Stages, known: FloatArray) -> IntArray:
    """Return the settings that may hold what no known point equals or beats, and those of the known points themselves."""
    corner = np.stack([np.append(known[:, 0], np.inf), np.append(np.inf, known[:, 1])])
    rising = corner * (1 + _ROUNDING)
    settings = np.arange(stages.to_go.shape[2])
    for weight in (None, *(_SLOPES * _middle_slope(known))):
        least = stages.to_go[:, 0][:, settings]
        room = (rising[0] >= least[0][:, None]) & (rising[1] >= least[1][:, None])
        if weight is not None:
            factors = np.array([1.0, weight])[:, None, None]
            passed, reached = ((factors * each[..., settings]).sum(axis=0) for each in (stages.passed, stages.reached))
            room &= (rising[0] + weight * rising[1]) >= stages.least(passed, reached)[0][:, None]
        settings = settings[room.any(axis=1)]
    return settings


def _middle_slope(known: FloatArray) -> float:
    """Return the seconds per joule between the ends of a front; its median point's where it has one end."""
    spans = np.ptp(known, axis=0)
    if (spans > 0).all():
        return float(spans[0] / spans[1])
    middle = np.median(known, axis=0)
    return float(middle[0] / middle[1]) if middle[1] > 0 else 1.0


class _Labels:
    """Partial paths at each place, at hopeful settings, that no other at the same place and setting beats.

    Args:
        stages: stages of all settings.
        settings: those that are searched.
        known: points of choices, by which partial paths are ruled out, shape `k x 2`.
    """

    def __init__(self, stages: _Stages, settings: IntArray, known: FloatArray) -> None:
        self._stages, self._settings = stages, settings
        self._known = known * (1 - _ROUNDING)
        count = len(settings)
        # Of each place: number of the setting, costs (2 x labels), place before, label there.
        none = np.full(count, -1)
        self._at = [(np.arange(count), np.zeros((2, count)), none, none)]
        for place in range(1, stages.places):
            self._at.append(self._reach(place))

    def _reach(self, place: int) -> tuple[IntArray, FloatArray, IntArray, IntArray]:
        parts = []
        for earlier, (number, cost, _, _) in enumerate(self._at):
            total = cost + self._stages.stage(earlier, place, self._settings[number])
            parts.append((number, total, np.full(len(number), earlier), np.arange(len(number))))
        number, before, label = (np.concatenate([part[at] for part in parts]) for at in (0, 2, 3))
        cost = np.concatenate([part[1] for part in parts], axis=1)
        able = self._may_be_new(cost + self._stages.to_go[:, place][:, self._settings[number]])
        number, cost, before, label = number[able], cost[:, able], before[able], label[able]
        keep = non_dominated_by_group(number, cost[0], cost[1])
        return number[keep], cost[:, keep], before[keep], label[keep]

    def _may_be_new(self, bound: FloatArray) -> BoolArray:
        """Return whether no known point is below the bound in both costs, shape `labels`."""
        last = np.searchsorted(self._known[:, 0], bound[0] * (1 - 2 * _ROUNDING), side="left") - 1
        return np.asarray((last < 0) | (self._known[last, 1] * (1 + 2 * _ROUNDING) >= bound[1]))

    def choices(self) -> tuple[BoolArray, IntArray]:
        """Return the paths to the last end as choices of ends (`k x n`), and the number of each one's setting (`k`)."""
        number, cost, _, _ = self._at[-1]
        rows = non_dominated_by_group(np.zeros(len(number), np.int64), cost[0], cost[1])
        chosen = np.zeros((len(rows), self._stages.places - 1), bool)
        for path, row in enumerate(rows.tolist()):
            place = self._stages.places - 1
            while place > 0:
                chosen[path, place - 1] = True
                _, _, before, label = self._at[place]
                place, row = int(before[row]), int(label[row])
        return chosen, number[rows]
