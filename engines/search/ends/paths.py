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
    """The Pareto front of choices of exits and settings, by rising latency.

    Attributes:
        chosen: mask of the ends in use, always with the last one, shape `k x n`.
        setting: index of the clock setting of each choice, shape `k`.
        latency_s, energy_j: means over all inputs, shape `k`.
        settings_searched: number of settings that the bounds did not rule out.
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
    """Return the complete front of mean latency and mean energy; choices with equal costs appear once.

    Args:
        correctness: correctness of `n` ends.
        latency_s: latency of the `n` ends at `s` settings, in seconds.
        energy_j: energy of the same ends and settings, in joules.
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
    """Return the indices of the non-dominated choices, by rising latency, and their mean costs, shape `k x 2`."""
    points = mean_costs(correctness, costs, chosen, setting)
    keep = non_dominated_by_group(np.zeros(len(points), np.int64), points[:, 0], points[:, 1])
    keep = keep[np.argsort(points[keep, 0], kind="stable")]
    return keep, points[keep]


def _known_points(stages: _Stages) -> FloatArray:
    """Return the front of cheap candidates, the choices of least latency and of least energy at every setting; shape `k x 2`."""
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
    """Return the next place on the path of least cost from each setting's place; the last end maps to itself."""
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
    """Return the settings that may contain a choice that no point of `known` dominates or equals, and those of these points."""
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
    """Return the slope between both ends of a front in s/J, or latency / energy of its median point if it has one end."""
    spans = np.ptp(known, axis=0)
    if (spans > 0).all():
        return float(spans[0] / spans[1])
    middle = np.median(known, axis=0)
    return float(middle[0] / middle[1]) if middle[1] > 0 else 1.0


class _Labels:
    """The non-dominated partial paths at each place and setting.

    Args:
        stages: stages of all settings.
        settings: settings to search.
        known: mean costs of known choices, which rule out partial paths, shape `k x 2`.
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
        """Return a mask of the bounds that no known point dominates, shape `labels`."""
        last = np.searchsorted(self._known[:, 0], bound[0] * (1 - 2 * _ROUNDING), side="left") - 1
        return np.asarray((last < 0) | (self._known[last, 1] * (1 + 2 * _ROUNDING) >= bound[1]))

    def choices(self) -> tuple[BoolArray, IntArray]:
        """Return the paths to the last end as masks of ends (`k x n`), and the index of the setting of each (`k`)."""
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
