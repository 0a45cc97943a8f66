"""MapFormer (karatzas-2024): a transformer predicts classes of mappings, latent actions say where to look for more.

Equation 1: V = W_T x class of throughput - W_P x class of power where the class of power meets the limit. The upper end of the
most likely class is held against the limit, a tie rejects. Classes are means over what the estimator holds possible, which tells
mappings of one class apart. The simulator is asked only of what is handed over: of each round the mapping that the estimator
thinks best among those not handed over yet, of the last round some more. What it says changes nothing in the search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.results import Result
from engines.methods.mapformer.estimator.classes import CLASSES
from engines.methods.mapformer.estimator.estimator_accuracy import told_and_simulated
from engines.methods.mapformer.managers.latent_actions import best_leaf, divided, regions_table
from engines.methods.mapformer.managers.manager import Manager, Round, kept, restored
from engines.simulation.board import Mappings

OPERATION_MODES = {"hp": (1.0, 0.0), "pb": (0.7, 0.3), "sm": (0.5, 0.5), "pr": (0.3, 0.7)}  # W_T and W_P, section 5.2
STARTS = 40
CANDIDATES = 10  # looked at in each iteration
_PER_ROUND = 10  # iterations between which the tree is drawn anew
_TRIED = 6  # candidates drawn for each that is looked at
_HANDED, _AT_LAST = 1, 10


class MapFormerManager(Manager):
    """LA-MCTS over the estimator."""

    @property
    def rounds(self) -> int:
        """Each draws the tree once."""
        return 1 + -(-self.task.iterations // _PER_ROUND)

    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Return the looks at mappings, and hands the best over."""
        random = self.task.random("mapformer", number)
        if number:
            seen, values, handed = restored(state), np.asarray(state["values"]), np.asarray(state["handed"])
            fresh = self._candidates(seen, values, random, number)
        else:
            fresh = self._starts(random)
            seen, values, handed = fresh.take(np.empty(0, np.int64)), np.empty(0), np.empty(0, np.int64)
        told = self.task.judge().told(fresh)
        seen = Mappings.joined(seen, fresh)
        values = np.concatenate([values, self._values(told)])
        order = np.argsort(-values, kind="stable")
        order = order[~np.isin(order, handed)]
        new = order[: _AT_LAST if number + 1 == self.rounds else _HANDED]
        after = {**kept(seen), "values": values, "handed": np.concatenate([handed, new])}
        return self.tried(seen.take(new), after)

    def results(self, state: Mapping[str, Any]) -> tuple[Result, ...]:
        """Return the estimator's predictions compared with the simulator, and the regions that the space was divided into."""
        seen, values = restored(state), np.asarray(state["values"])
        told = told_and_simulated(self.task.judge(), self.task.board, seen, state["handed"])
        return (*told, regions_table(divided(self._places(seen), values, self.rounds), values))

    def _starts(self, random: np.random.Generator) -> Mappings:
        space = self.task.space
        both = Mappings.joined(space.drawn(random, STARTS // 2), space.crowded(random, STARTS - STARTS // 2))
        return both.take(_unknown(both, set(), STARTS))

    def _candidates(self, seen: Mappings, values: FloatArray, random: np.random.Generator, number: int) -> Mappings:
        """Return mappings changed from those in some leaves, which lie in the same region."""
        places = self._places(seen)
        root = divided(places, values, number)
        known, found = set(_keys(seen)), []
        for _ in range(min(_PER_ROUND, self.task.iterations - (number - 1) * _PER_ROUND)):
            path = best_leaf(root)
            rows = path.leaf.rows
            best = rows[np.argsort(-values[rows], kind="stable")[: max(1, len(rows) // 2)]]
            drawn = self.task.space.changed(seen.take(random.choice(best, CANDIDATES * _TRIED)), random)
            inside = np.flatnonzero(path.holds(self._places(drawn)))
            outside = np.setdiff1d(np.arange(len(drawn)), inside)
            drawn = drawn.take(np.concatenate([inside, outside]))
            found.append(drawn.take(_unknown(drawn, known, CANDIDATES)))
        return Mappings.joined(*found)

    def _values(self, told: Any) -> FloatArray:
        """Return the value of equation 1.

        What violates the limit is worth less than all that keeps it, and the less the more power it takes.
        """
        own, power = told.expected
        weight, other = OPERATION_MODES[self.task.operation_mode]
        keeps = self.task.judge().power_edges[told.classes[1] + 1] < self.task.power_limit_w
        return np.asarray(np.where(keeps, weight * own - other * power, -CLASSES - power))

    def _places(self, mappings: Mappings) -> FloatArray:
        """Return, shape `b x d`, per network the share of layers on every unit, and every clock as a share of its ladder."""
        board, count = self.task.board, len(mappings)
        start = np.concatenate([np.zeros_like(mappings.ends[:, :, :1]), mappings.ends[:, :, :-1]], axis=2)
        share = (mappings.ends - start) / board.layers[None, :, None]
        parts: list[FloatArray] = [
            np.where(mappings.units == unit, share, 0.0).sum(axis=2) for unit in range(len(board.units))
        ]
        return np.concatenate([*parts, mappings.steps / board.step_counts], axis=1).reshape(count, -1)


def _unknown(drawn: Mappings, known: set[bytes], most: int) -> IntArray:
    """Return the rows of the first that are not known yet; they are known from then on."""
    rows: list[int] = []
    for row, key in enumerate(_keys(drawn)):
        if key not in known and len(rows) < most:
            known.add(key)
            rows.append(row)
    return np.array(rows, dtype=np.int64)


def _keys(mappings: Mappings) -> list[bytes]:
    """Return a key of each mapping that distinguishes it."""
    parts = [
        each.reshape(len(mappings), -1).astype(np.int32) for each in (mappings.ends, mappings.units, mappings.steps)
    ]
    return [row.tobytes() for row in np.concatenate(parts, axis=1)]
