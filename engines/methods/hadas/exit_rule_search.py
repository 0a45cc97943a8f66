"""Exits, clocks, rule and threshold of one backbone whose exits were measured: the exact front over all of them.

Sets of exits, smaller ones first, each under every rule at every threshold, at every clock setting. Two things are left out
beforehand that nothing is lost by: clock settings at which every part and every exit takes as long and needs as much as at
another, and of one set of exits the rules by which as many inputs have stayed behind every end and fewer are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.fronts.non_dominated import non_dominated_costs
from engines.contract.numeric.ordered_sums import product_in_order
from engines.methods.hadas.inner_search import Costs
from engines.search.ends.confidence import RULES, Rule
from engines.search.ends.costs import EndCosts
from engines.search.ends.exit_rules import ExitShares, RuledEnds

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)
MOST_SETS = 512


@dataclass(frozen=True, eq=False)
class RuleChoices:
    """`k` choices of ends with a rule.

    Attributes:
        chosen: mask of the ends in use, shape `k x n`.
        rule, threshold: rule and threshold of each.
        leaving: ends at which inputs leave, and the accuracy there.
    """

    chosen: BoolArray
    rule: tuple[Rule, ...]
    threshold: FloatArray
    leaving: ExitShares

    def __len__(self) -> int:
        return len(self.rule)

    def take(self, rows: IntArray) -> RuleChoices:
        """Return the choices at `rows`."""
        leaving = ExitShares(self.leaving.shares[rows], self.leaving.accuracy[rows])
        return RuleChoices(
            self.chosen[rows], tuple(self.rule[row] for row in rows.tolist()), self.threshold[rows], leaving
        )

    @staticmethod
    def joined(parts: list[RuleChoices]) -> RuleChoices:
        """Return the elements of all parts, in order."""
        return RuleChoices(
            np.concatenate([each.chosen for each in parts]),
            tuple(rule for each in parts for rule in each.rule),
            np.concatenate([each.threshold for each in parts]),
            ExitShares.joined([each.leaving for each in parts]),
        )


@dataclass(frozen=True, eq=False)
class RuledFront:
    """The front over error, mean latency and mean energy.

    Attributes:
        ruled: the choices, by rising latency.
        setting: clock setting of each, shape `k`.
        points: error, mean latency and mean energy of each, shape `k x 3`.
        looked_at: choices of exits, rule and threshold at all settings.
        whole: whether every set of exits was among them.
    """

    ruled: RuleChoices
    setting: IntArray
    points: FloatArray
    looked_at: int
    whole: bool


def ruled_front(ends: RuledEnds, costs: Costs, rules: tuple[Rule, ...] = RULES) -> RuledFront:
    """Return the front of all choices.

    Args:
        ends: measured, `n` of them.
        costs: latency and energy of the parts at `s` settings.
        rules: rules to choose from.
    """
    settings = _useful_settings(costs)
    parts, where, points, looked_at = [], [], [], 0
    every = sets_of_exits(costs[0].parts.shape[0])
    for chosen in every:
        ruled = under_rules(ends, chosen, rules)
        looked_at += len(ruled) * costs[0].parts.shape[1]
        ruled = ruled.take(_useful_rules(ruled.leaving))
        means = [product_in_order(ruled.leaving.shares, _reached(each, chosen, settings)) for each in costs]
        error = np.repeat(1 - ruled.leaving.accuracy, len(settings))
        own = np.column_stack([error, means[0].ravel(), means[1].ravel()])
        kept = _first_on_front(own)
        parts.append(ruled.take(kept // len(settings)))
        where.append(settings[kept % len(settings)])
        points.append(own[kept])
    together, all_points = RuleChoices.joined(parts), np.concatenate(points)
    kept = _first_on_front(all_points)
    kept = kept[np.lexsort(all_points[kept].T[[2, 0, 1]])]
    whole = len(every) == 2 ** (costs[0].parts.shape[0] - 1)
    return RuledFront(together.take(kept), np.concatenate(where)[kept], all_points[kept], looked_at, whole)


def sets_of_exits(ends: int) -> list[BoolArray]:
    """Return the rows of `n` ends, the last always chosen: no exit, then sets of exits, smaller ones first, 512 at most."""
    every = (each for count in range(ends) for each in combinations(range(ends - 1), count))
    return [np.array([*(end in each for end in range(ends - 1)), True]) for each in islice(every, MOST_SETS)]


def under_rules(ends: RuledEnds, chosen: BoolArray, rules: tuple[Rule, ...] = RULES) -> RuleChoices:
    """Return one set of exits under every rule at every threshold; without exits there is nothing to ask."""
    rules, thresholds = (rules, THRESHOLDS) if chosen[:-1].any() else (rules[:1], THRESHOLDS[-1:])
    count = len(rules) * len(thresholds)
    return RuleChoices(
        np.repeat(chosen[None], count, axis=0),
        tuple(rule for rule in rules for _ in thresholds),
        np.tile(thresholds, len(rules)),
        ExitShares.joined([ends.leaving(chosen, rule, thresholds) for rule in rules]),
    )


def _useful_rules(leaving: ExitShares) -> IntArray:
    """Return the rules that no other rule of the same exits dominates in correct answers and inputs behind every end."""
    staying = 1 - np.cumsum(leaving.shares, axis=1)[:, :-1]
    return _first_on_front(np.column_stack([1 - leaving.accuracy, staying]))


def _useful_settings(costs: Costs) -> IntArray:
    """Return the settings at which something costs less than at any other that is as good in all else."""
    each = np.concatenate([array for side in costs for array in (side.parts, side.heads[:-1])])
    return _first_on_front(each.T)


def _reached(costs: EndCosts, chosen: BoolArray, settings: IntArray) -> FloatArray:
    """Return the cost of an input that leaves at each end, shape `n x s`."""
    return costs.prefixes(np.repeat(chosen[None], len(settings), axis=0), settings).T


def _first_on_front(costs: FloatArray) -> IntArray:
    """Return the rows that no other beats; of equal ones the first."""
    _, first = np.unique(costs, axis=0, return_index=True)
    first.sort()
    return np.asarray(first[non_dominated_costs(costs[first])])
