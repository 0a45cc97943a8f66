"""Monte-Carlo tree search over decisions that are taken one after the other, each among as many ways (Kocsis and Szepesvari 2006).

The tree is three arrays, so that a search can be stopped and continue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray

EXPLORATION = 0.5  # of values between 0 and 1


@dataclass(eq=False)
class DecisionTree:
    """Nodes in the order in which they were made; the first is the root.

    Attributes:
        children: number of the node that each way leads to, 0 where there is none yet, shape `nodes x ways`.
        visits: shape `nodes`.
        totals: sum of the values that came of each, shape `nodes`.
    """

    children: IntArray
    visits: FloatArray
    totals: FloatArray

    @staticmethod
    def started(ways: int) -> DecisionTree:
        """Return a tree with only a root."""
        return DecisionTree(np.zeros((1, ways), np.int64), np.zeros(1), np.zeros(1))

    @staticmethod
    def restored(state: Mapping[str, Any]) -> DecisionTree:
        """Restore a tree from the state that `kept` returned."""
        return DecisionTree(
            np.asarray(state["children"], np.int64), np.asarray(state["visits"]), np.asarray(state["totals"])
        )

    def kept(self) -> dict[str, Any]:
        """Return the arrays of a state."""
        return {"children": self.children.astype(np.int32), "visits": self.visits, "totals": self.totals}

    def descended(
        self, counts: Sequence[int], low: float, high: float, random: np.random.Generator
    ) -> tuple[list[int], list[int]]:
        """Descend to a decision that was not made there yet, which makes a node; the rest is drawn.

        Args:
            counts: ways of each decision, the first of the tree's.
            low: least value so far, which counts as 0.
            high: largest, which counts as 1.
            random: draws.

        Returns:
            The ways, one of each decision, and the nodes that were passed.
        """
        node, path, taken = 0, [0], list[int]()
        spread = max(high - low, 1e-12)
        for count in counts:
            places = self.children[node, :count]
            new = np.flatnonzero(places == 0)
            if len(new):
                taken.append(int(random.choice(new)))
                path.append(self._grown(node, taken[-1]))
                break
            visits = self.visits[places]
            mean = (self.totals[places] / visits - low) / spread
            bounds = mean + EXPLORATION * np.sqrt(np.log(self.visits[node]) / visits)
            taken.append(int(bounds.argmax()))
            node = int(places[taken[-1]])
            path.append(node)
        taken += [int(random.integers(count)) for count in counts[len(taken) :]]
        return taken, path

    def credited(self, path: Sequence[int], value: float) -> None:
        """Add the value of a path."""
        self.visits[list(path)] += 1
        self.totals[list(path)] += value

    def corrected(self, path: Sequence[int], difference: float) -> None:
        """Add to a credited path the difference to its value, once that is known."""
        self.totals[list(path)] += difference

    def _grown(self, node: int, way: int) -> int:
        number = len(self.visits)
        self.children[node, way] = number
        self.children = np.concatenate([self.children, np.zeros((1, self.children.shape[1]), np.int64)])
        self.visits, self.totals = np.append(self.visits, 0.0), np.append(self.totals, 0.0)
        return number
