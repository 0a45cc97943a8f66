"""Answers of a manager when the networks on a board change: one mapping of the present networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.methods.mapformer.managers.manager import Task, fair_worth
from engines.methods.mapformer.managers.registry import manager_of
from engines.methods.mapformer.problem.space import Space
from engines.simulation.board import Board, Mappings


@dataclass(frozen=True, eq=False)
class Placement:
    """Where networks of the mix run.

    Attributes:
        ends, units: ends and units of the segments of every network, shape `n x s`; rows of unplaced networks are ignored.
        steps: steps of the units' clocks, shape `u`.
        networks: placed networks, ascending.
    """

    ends: IntArray
    units: IntArray
    steps: IntArray
    networks: tuple[int, ...]

    def of(self, networks: Sequence[int]) -> Mappings:
        """Return the mapping of some that are placed, clocks as they are."""
        rows = list(networks)
        return Mappings(self.ends[None, rows], self.units[None, rows], self.steps[None])

    def moved_from(self, before: Placement) -> tuple[int, ...]:
        """Return the networks of which a layer runs on another unit than before, or that were not placed."""
        return tuple(
            number
            for number in self.networks
            if number not in before.networks
            or not np.array_equal(self.ends[number], before.ends[number])
            or not np.array_equal(self.units[number], before.units[number])
        )


def nowhere(task: Task) -> Placement:
    """Return a placement without networks, with all units off."""
    shape = (task.space.networks, task.space.segments)
    return Placement(np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(task.space.units, np.int64), ())


def part_of(board: Board, networks: Sequence[int]) -> Board:
    """Return the board with some of its networks."""
    return replace(board, networks=tuple(board.networks[number] for number in networks))


def answered(
    task: Task, manager: str, networks: tuple[int, ...], power_limit_w: float, evaluations: int, number: int
) -> Placement:
    """Return the fastest mapping that a manager finds within the limit, else the one of least power.

    Nowhere if it finds none that runs.

    Args:
        task: task of the whole mix.
        manager: name of it.
        networks: present networks, ascending.
        power_limit_w: infinite where there is none.
        evaluations: mappings that it may simulate, about.
        number: of the answer: each has random numbers of its own.
    """
    board = part_of(task.board, networks)

    def random(*names: str | int) -> np.random.Generator:
        return task.random("arrivals", number, *names)

    own = replace(
        task, board=board, space=Space(board, task.space.segments), power_limit_w=power_limit_w, evaluations=evaluations,
        fairness=task.fairness.of_networks(networks), random=random, macs=tuple(task.macs[each] for each in networks),
    )  # fmt: skip
    best, value, asked = None, -np.inf, manager_of(manager, own)
    state: dict[str, Any] = {}
    for turn in range(asked.rounds):
        tried = asked.round(turn, state)
        state = dict(tried.state)
        values = fair_worth(tried.steady, np.array([power_limit_w]), own.fairness)[0]
        row = int(values.argmax())
        if values[row] > value:
            best, value = tried.mappings.take(np.array([row])), float(values[row])
    found = nowhere(task)
    if best is None:
        return found
    found.ends[list(networks)], found.units[list(networks)] = best.ends[0], best.units[0]
    return Placement(found.ends, found.units, best.steps[0], networks)
