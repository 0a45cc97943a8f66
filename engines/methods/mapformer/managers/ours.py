"""Our own manager: a search on the simulator itself.

Small problems are gone through whole. Of others it keeps the best mappings within each of some power limits, from that asked for
downwards, one of least power, and, within the limit asked for, the best for each way to crowd the units (none, one, or several
networks on each), as a unit that one fast network has for itself is worth more than what single changes lead to (MAP-Elites, Mouret
and Clune 2015). Any child of any of them may take the place of any.

Within the limit it also keeps the fairest mappings, and the fastest of those that reach a share of the best fairness. Each round
has some of their children. These take places of fast mappings only where fairness is limited. So without that limit the fastest
mappings are those of a search that leaves fairness out. A child of any mapping may be kept for its fairness.

The search starts from random mappings and from the fastest networks as
balanced pipelines over every sequence of units (`engines.methods.mapformer.problem.pipelines`). Rounds take turns: changed copies,
one network of one mapping in every way, one mapping at many clocks, as it is or with the cuts of a pipeline balanced anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.mapformer.managers.manager import Manager, Round, Task, fair_worth, kept, restored, worth
from engines.methods.mapformer.problem.pipelines import pipelined, rebalanced
from engines.simulation.board import Mappings
from engines.simulation.steady_state import Steady, steady_state

_LIMITS = 7
_SMALLEST_SHARE = 0.1
_KEPT = 4  # within each limit
_CELLS = 60
_LEADING = 16  # those within the limit that was asked for, and the first cells: half of the children are theirs
_FAIR_SHARES = (0.75, 0.5, 0.25)  # of the best fairness: from each on, the best by throughput are kept
_FAIR = _KEPT * (1 + len(_FAIR_SHARES))  # kept for fairness, the last of all that are kept
_CHILDREN = 500  # of a round
_FAIR_CHILDREN = 40  # of those kept for fairness, in every round
_PIECE = 4096
_FIRST = 6000


def most_evaluations(asked: int) -> int:
    """Return the largest number of mappings that the search simulates, as its rounds differ in size."""
    return asked + asked // 4


class OurManager(Manager):
    """Exhaustive where the space is small, else as the module says."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.exact = task.space.size <= task.evaluations
        self._all = task.space.all() if self.exact else None
        self._caps_w = self._limits()

    @property
    def rounds(self) -> int:
        """Return the rounds that the evaluations suffice for."""
        if self._all is not None:
            return -(-len(self._all) // _PIECE)
        return 1 + max(1, round((self.task.evaluations - self._first_count) / _CHILDREN))

    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Return a piece of the whole space, or children of what is kept."""
        if self._all is not None:
            return self.tried(self._all.take(np.arange(number * _PIECE, min((number + 1) * _PIECE, len(self._all)))))
        random, made = self.task.random("ours", number), int(state.get("made", 0))
        held = restored(state) if number else None
        if held is None:
            fresh = own = self._first(random)
        else:
            own = self._children(held.take(np.arange(len(held) - _FAIR)), number, random)
            fresh = Mappings.joined(own, self._fair_children(held, number))
        # Rounds differ in size; each of those to come has at least one mapping.
        left = most_evaluations(self.task.evaluations) - made - (self.rounds - number - 1)
        fresh = fresh.take(np.arange(min(len(fresh), max(1, left))))
        told = self._told(fresh, held, len(own))
        return replace(told, state={**told.state, "made": made + len(fresh)})

    def _fair_children(self, held: Mappings, number: int) -> Mappings:
        random = self.task.random("fair", number)
        parents = len(held) - 1 - random.integers(0, _FAIR, _FAIR_CHILDREN)
        return self.task.space.changed(held.take(parents), random)

    def _children(self, held: Mappings, number: int, random: np.random.Generator) -> Mappings:
        space, turn, about = self.task.space, number % 4, number // 4
        one = held.take(np.array([self._looked_at(len(held), about, random)]))
        if turn == 1:
            return space.swept(one, int(random.integers(space.networks)), random)
        if turn == 3:
            found = space.clocked(one, random)
            return rebalanced(space, found, random) if about % 2 else found
        any_held, leading = random.integers(0, len(held), _CHILDREN), random.integers(0, _LEADING, _CHILDREN)
        leading = np.minimum(leading + (leading >= _KEPT) * _KEPT * (len(self._caps_w) - 1), len(held) - 1)
        return space.changed(held.take(np.where(random.random(_CHILDREN) < 0.5, leading, any_held)), random)

    def _looked_at(self, count: int, about: int, random: np.random.Generator) -> int:
        """Return every second time one of the best within the limit that was asked for."""
        return int(random.integers(_KEPT if about % 2 else count))

    def _told(self, fresh: Mappings, held: Mappings | None, own: int) -> Round:
        """Return simulated, and what is kept after it: the first of equals, older ones first.

        Those of `fresh` behind the first `own` are children of mappings kept for fairness.
        """
        steady = steady_state(self.task.board, fresh)
        both, known = fresh, steady
        if held is not None:
            both, known = Mappings.joined(held, fresh), _joined(steady_state(self.task.board, held), steady)
        rows: IntArray = np.arange(len(both))
        if held is not None and not self.task.fairness.least:
            # What is kept for fairness takes no place of a fast mapping, so that the fastest are those of a search without it.
            rows = np.delete(rows, np.r_[len(held) - _FAIR : len(held), min(len(held) + own, len(both)) : len(both)])
        values = fair_worth(known, self._caps_w, self.task.fairness)[:, rows]
        fast = rows[np.concatenate([*map(_best, values), self._cells(both.take(rows), values[0])])]
        return Round(fresh, steady, kept(both.take(np.concatenate([fast, *map(_best, self._fair(known))]))))

    def _fair(self, steady: Steady) -> FloatArray:
        """Return the value of mappings within the power limit: fairness first, throughput above a share of the best fairness.

        Shape `1 + len(_FAIR_SHARES)` x `b`; beyond the power as in `worth`.
        """
        fast = worth(steady, self._caps_w[:1])[0]
        smallest = self.task.fairness.smallest(steady)
        fair = np.where(fast < 0, fast, smallest)
        levels = np.array(_FAIR_SHARES)[:, None] * max(float(fair.max()), 0.0)
        return np.vstack([fair, np.where((fast < 0) | (smallest >= levels), fast, smallest - 1.0)])

    def _cells(self, mappings: Mappings, values: FloatArray) -> IntArray:
        """Return the best mapping of every way to crowd the units, the best `_CELLS` of these."""
        units = range(self.task.space.units)
        counts = np.stack([(mappings.units == unit).any(axis=2).sum(axis=1) for unit in units], axis=1)
        cell = (np.minimum(counts, 2) * 3 ** np.arange(len(units))).sum(axis=1)
        order = np.lexsort((-values, cell))
        first = order[np.append(True, cell[order][1:] != cell[order][:-1])]
        return np.asarray(first[np.argsort(-values[first], kind="stable")][:_CELLS])

    def _first(self, random: np.random.Generator) -> Mappings:
        """Return the drawn mappings, and whole networks, most of them on few units."""
        space, count = self.task.space, self._first_count
        drawn = Mappings.joined(space.drawn(random, count // 6), space.crowded(random, count - count // 6))
        pipelines, most = pipelined(space, random), self.task.evaluations // 4
        if len(pipelines) > most:  # from all networks and sequences of units alike
            pipelines = pipelines.take(np.linspace(0, len(pipelines) - 1, most).astype(np.int64))
        return Mappings.joined(drawn, pipelines)

    @property
    def _first_count(self) -> int:
        return min(_FIRST, self.task.evaluations // 2)

    def _limits(self) -> FloatArray:
        """Return the power limits: the one asked for first, the last none keeps, for the least power."""
        board = self.task.board
        full = (
            board.memory_idle_w + board.memory_dynamic_w + sum(u.idle_w + float(u.dynamic_w[-1]) for u in board.units)
        )
        top = min(self.task.power_limit_w, full)
        return np.append(np.geomspace(top, _SMALLEST_SHARE * top, _LIMITS), 0.0)


def _best(values: FloatArray) -> IntArray:
    """Return the places of the best, of equal values the first alone, as long as there are others; shape `_KEPT`."""
    first = np.unique(-values, return_index=True)[1]
    return np.resize(first[:_KEPT], _KEPT)


def _joined(first: Steady, second: Steady) -> Steady:
    return Steady(
        *(np.concatenate([getattr(first, name), getattr(second, name)]) for name in Steady.__dataclass_fields__)
    )
