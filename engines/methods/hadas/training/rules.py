"""Measured outputs under rules of leaving: which choices there are, and what each is worth. Without torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from typing import Any

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.errors import DecisionError
from engines.contract.fronts.non_dominated import non_dominated
from engines.search.ends.confidence import RULES, Rule, confidence, fitted_temperature, leaves_at

IDEAL = "ideal"
THRESHOLDS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
_MOST_SUBSETS = 127


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
        heads: of each exit, shape `n`, that of the own end 0.
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
        """Return how sure each exit is of each validation image, shape `images x (n - 1)`."""
        return self._sure[rule, "validation"][:, :-1]

    @property
    def exits(self) -> int:
        """How many there are."""
        return len(self._heads) - 1

    def decisions(self) -> list[dict[str, Any]]:
        """Yield no exit, then sets of exits, smaller ones first and at most 127, each under every rule at every threshold."""
        found: list[dict[str, Any]] = [{"exits": [], "rule": RULES[0], "threshold": 1.0}]
        for subset in self._subsets():
            found += [{"exits": subset, "rule": rule, "threshold": at} for rule in RULES for at in THRESHOLDS]
        return found

    def ideal(self) -> Designs:
        """Return what no rule can know: sets of exits under the ideal mapping, those that no other beats in MACs and accuracy."""
        designs = self.designs([{"exits": subset, "rule": IDEAL, "threshold": 1.0} for subset in self._subsets()])
        best = non_dominated(designs.matrix(("macs", "accuracy_percent")), ("minimise", "maximise"))
        kept = designs.take(np.flatnonzero(best))
        return replace(kept, label=["Ideal mapping"] * len(kept))

    def _subsets(self) -> list[list[int]]:
        numbers = range(1, self.exits + 1)
        every = (list(each) for count in numbers for each in combinations(numbers, count))
        return list(islice(every, _MOST_SUBSETS))

    def designs(self, decisions: Sequence[Mapping[str, Any]]) -> Designs:
        """Return what decisions are worth.

        Raises:
            DecisionError: names what is wrong with one.
        """
        rows = [self._row(decision) for decision in decisions]
        names = ("macs", "accuracy_percent", "test_accuracy_percent", "lost_percent", "left_early_fraction", "exits")
        values = np.array(rows, dtype=np.float64).reshape(-1, len(names))
        return Designs(dict(zip(names, values.T, strict=True)), [dict(decision) for decision in decisions])

    def left_at(self, decision: Mapping[str, Any], split: str = "validation") -> IntArray:
        """Return the number of the end at which each image leaves.

        Raises:
            DecisionError: as `designs`.
        """
        chosen = self._chosen(decision)
        rule, threshold = decision.get("rule"), decision.get("threshold")
        held = self.validation if split == "validation" else self.test
        if rule == IDEAL:
            right = held.right & chosen
            right[:, -1] = True
            return np.asarray(right.argmax(axis=1))
        if rule not in RULES:
            raise DecisionError("decision.rule", rule, f"one of: {', '.join((IDEAL, *RULES))}")
        if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
            raise DecisionError("decision.threshold", threshold, "a number from 0 to 1")
        return leaves_at(self._sure[rule, split], chosen, float(threshold))

    def _row(self, decision: Mapping[str, Any]) -> tuple[float, ...]:
        chosen, at = self._chosen(decision), self.left_at(decision)
        cost = self._reached + np.cumsum(np.where(chosen, self._heads, 0.0))
        accuracy = _accuracy(self.validation, at)
        ideal = _accuracy(self.validation, self.left_at({**decision, "rule": IDEAL}))
        tested = _accuracy(self.test, self.left_at(decision, "test"))
        return (
            float(cost[at].mean()),
            accuracy,
            tested,
            ideal - accuracy,
            float((at < self.exits).mean()),
            float(chosen[:-1].sum()),
        )

    def _chosen(self, decision: Mapping[str, Any]) -> BoolArray:
        given = decision.get("exits")
        if not isinstance(given, list | tuple):
            raise DecisionError("decision.exits", given, "a list of the blocks before exits")
        for place, number in enumerate(given):
            if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= self.exits:
                raise DecisionError(
                    f"decision.exits.{place}", number, f"a block from 1 to {self.exits}; the last is the own end"
                )
        return np.array([*(number in given for number in range(1, self.exits + 1)), True])


def _accuracy(held: HeldOutOutputs, at: IntArray) -> float:
    return 100 * float(held.right[np.arange(len(at)), at].mean())
