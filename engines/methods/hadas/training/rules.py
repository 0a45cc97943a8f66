"""Measured outputs under rules of leaving: which choices there are, and what each is worth. Without torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from typing import Any, Literal

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.errors import DecisionError
from engines.contract.fronts.non_dominated import non_dominated
from engines.search.ends.confidence import RULES, Rule, confidence, fitted_temperature, leaves_at

IDEAL: Literal["ideal"] = "ideal"
THRESHOLDS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
_MOST_SUBSETS = 127


@dataclass(frozen=True)
class ExitRule:
    """A set of exits, by the number of their block, with the rule by which images leave."""

    exits: tuple[int, ...]
    rule: Rule | Literal["ideal"]
    threshold: float


def read_decision(decision: Mapping[str, Any], exits: int) -> ExitRule:
    """Return the choice of a decision among so many exits.

    Raises:
        DecisionError: names what is wrong with it.
    """
    given = decision.get("exits")
    if not isinstance(given, list | tuple):
        raise DecisionError("decision.exits", given, "a list of numbers of the blocks with an exit")
    for place, number in enumerate(given):
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= exits:
            reason = "The last block is the end of the network."
            raise DecisionError(f"decision.exits.{place}", number, f"a block from 1 to {exits}", reason=reason)
    rule, threshold = decision.get("rule"), decision.get("threshold")
    if rule == IDEAL:
        return ExitRule(tuple(given), IDEAL, 1.0)
    if rule not in RULES:
        raise DecisionError("decision.rule", rule, f"one of: {', '.join((IDEAL, *RULES))}")
    if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
        raise DecisionError("decision.threshold", threshold, "a number from 0 to 1")
    return ExitRule(tuple(given), rule, threshold)


@dataclass(frozen=True, eq=False)
class HeldOutOutputs:
    """Outputs of all ends for held-out images.

    Attributes:
        outputs: shape `images x n x classes`.
        labels: shape `images`.
    """

    outputs: FloatArray
    labels: IntArray

    @cached_property
    def right(self) -> BoolArray:
        """Shape `images x n`."""
        return np.asarray(self.outputs.argmax(axis=-1) == self.labels[:, None])


class RuleSet:
    """Rules on measured outputs, temperatures fitted on the validation images.

    Args:
        validation, test: measured outputs.
        reached: multiply-accumulates of the network up to each end, shape `n`.
        heads: heads of each exit, shape `n`, that of the own end 0.
    """

    def __init__(
        self, validation: HeldOutOutputs, test: HeldOutOutputs, reached: FloatArray, heads: FloatArray
    ) -> None:
        self.validation, self.test, self._reached, self._heads = validation, test, reached, heads
        ends = validation.outputs.shape[1]
        self.temperatures = np.array(
            [fitted_temperature(validation.outputs[:, end], validation.labels) for end in range(ends)]
        )
        self._sure = {
            (rule, split): confidence(held.outputs, rule, self.temperatures)
            for rule in RULES
            for split, held in (("validation", validation), ("test", test))
        }

    def sure(self, rule: Rule) -> FloatArray:
        """Return the confidence of each exit for each validation image, shape `images x (n - 1)`."""
        return self._sure[rule, "validation"][:, :-1]

    @property
    def exits(self) -> int:
        """How many there are."""
        return len(self._heads) - 1

    def choices(self) -> list[ExitRule]:
        """Return no exit, then sets of exits, smaller ones first and at most 127, each under every rule at every threshold."""
        ruled = [ExitRule(exits, rule, at) for exits in self._subsets() for rule in RULES for at in THRESHOLDS]
        return [ExitRule((), RULES[0], 1.0), *ruled]

    def ideal(self) -> list[ExitRule]:
        """Return the non-dominated sets of exits under the ideal mapping in MACs and accuracy; no rule can reach them."""
        choices = [ExitRule(exits, IDEAL, 1.0) for exits in self._subsets()]
        columns = self.columns(choices)
        points = np.column_stack([columns["macs"], columns["accuracy_percent"]])
        return [choices[row] for row in np.flatnonzero(non_dominated(points, ("minimise", "maximise")))]

    def _subsets(self) -> list[tuple[int, ...]]:
        numbers = range(1, self.exits + 1)
        return list(islice((each for count in numbers for each in combinations(numbers, count)), _MOST_SUBSETS))

    def columns(self, choices: Sequence[ExitRule]) -> dict[str, FloatArray]:
        """Return column -> values of `k` choices, shape `k` each."""
        names = ("macs", "accuracy_percent", "test_accuracy_percent", "lost_percent", "left_early_fraction", "exits")
        values = np.array([self._row(choice) for choice in choices], dtype=np.float64)
        return dict(zip(names, values.T, strict=True))

    def left_at(self, choice: ExitRule, split: str = "validation") -> IntArray:
        """Return the number of the end at which each image leaves."""
        chosen, held = self._chosen(choice), self.validation if split == "validation" else self.test
        if choice.rule != IDEAL:
            return leaves_at(self._sure[choice.rule, split], chosen, float(choice.threshold))
        right = held.right & chosen
        right[:, -1] = True
        return np.asarray(right.argmax(axis=1))

    def _row(self, choice: ExitRule) -> tuple[float, ...]:
        chosen, at = self._chosen(choice), self.left_at(choice)
        cost = self._reached + np.cumsum(np.where(chosen, self._heads, 0.0))
        accuracy = _accuracy(self.validation, at)
        ideal = _accuracy(self.validation, self.left_at(replace(choice, rule=IDEAL)))
        tested = _accuracy(self.test, self.left_at(choice, "test"))
        early = float((at < self.exits).mean())
        return float(cost[at].mean()), accuracy, tested, ideal - accuracy, early, float(chosen[:-1].sum())

    def _chosen(self, choice: ExitRule) -> BoolArray:
        return np.array([*(number in choice.exits for number in range(1, self.exits + 1)), True])


def _accuracy(held: HeldOutOutputs, at: IntArray) -> float:
    return 100 * float(held.right[np.arange(len(at)), at].mean())
