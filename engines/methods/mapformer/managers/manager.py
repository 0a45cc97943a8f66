"""The base of every manager: rounds of evaluated mappings, and the state to continue from after each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.results import Result
from engines.methods.mapformer.problem.fairness import Fairness
from engines.methods.mapformer.problem.space import Space
from engines.simulation.board import Board, Mappings
from engines.simulation.steady_state import Steady, steady_state

if TYPE_CHECKING:
    from engines.methods.mapformer.estimator.stored_estimator import StoredEstimator

Random = Callable[..., np.random.Generator]


@dataclass(frozen=True)
class Task:
    """The task of a manager.

    Attributes:
        board: units and networks.
        space: space of their mappings.
        power_limit_w: infinite where there is none.
        fairness: shares of the networks, with the limit on them.
        evaluations: mappings that it is to simulate; the search's rounds may add some (`ours.most_evaluations`).
        random: names -> a stream of random numbers (`Context.random`).
        kinds: kinds of the board's units ("cpu", "gpu", "npu").
        macs: MACs of every layer of each network.
        estimator: tells classes of mappings; None where no manager asks it.
        iterations: iterations of a search that asks the estimator.
        operation_mode: how such a search weighs throughput against power.
        device: slug of it, for what was trained for one.
    """

    board: Board
    space: Space
    power_limit_w: float
    fairness: Fairness
    evaluations: int
    random: Random
    kinds: tuple[str, ...] = ()
    macs: tuple[FloatArray, ...] = ()
    estimator: StoredEstimator | None = None
    iterations: int = 100
    operation_mode: str = "pb"
    device: str = ""

    def units_of(self, *kinds: str) -> list[int]:
        """Return the numbers of the units of these kinds."""
        return [number for number, kind in enumerate(self.kinds) if kind in kinds]

    def judge(self) -> StoredEstimator:
        """Return the estimator of the task."""
        assert self.estimator is not None  # asked for when the problem was prepared
        return self.estimator


@dataclass(frozen=True, eq=False)
class Round:
    """The outcome of a round.

    Attributes:
        mappings: all that it simulated.
        steady: evaluated steady states.
        state: arrays from which the next round continues.
    """

    mappings: Mappings
    steady: Steady
    state: Mapping[str, Any] = field(default_factory=dict)


class Manager(ABC):
    """An algorithm that finds mappings. Its only memory between rounds is the state that it returns.

    Args:
        task: requested task.
    """

    def __init__(self, task: Task) -> None:
        self.task = task

    @property
    @abstractmethod
    def rounds(self) -> int:
        """How many there are."""

    @abstractmethod
    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Return the round of that number, from 0, after the state that the one before handed on; {} before the first."""

    def results(self, state: Mapping[str, Any]) -> tuple[Result, ...]:
        """Return the manager's results at the end of the run, from the state of the last round."""
        return ()

    def tried(self, mappings: Mappings, state: Mapping[str, Any] | None = None) -> Round:
        """Return a round of evaluated mappings."""
        return Round(mappings, steady_state(self.task.board, mappings), state or {})


def worth(steady: Steady, cap_w: FloatArray) -> FloatArray:
    """Return the mean throughput within a power limit; beyond, the less power the better, below any that keeps it.

    Args:
        steady: `b` mappings.
        cap_w: `g` limits.

    Returns:
        Shape `g x b`.
    """
    power = np.where(steady.valid, steady.power_w, np.inf)
    return np.where(power <= cap_w[:, None], steady.mean_per_s, -power)


def fair_worth(steady: Steady, cap_w: FloatArray, fairness: Fairness) -> FloatArray:
    """Return the same within the limit on fairness, too: of mappings that keep the power alone, the fairer the better.

    Args:
        steady: `b` mappings.
        cap_w: `g` power limits.
        fairness: shares of the networks, with the limit on them.

    Returns:
        Shape `g x b`; without a limit on fairness those of `worth`.
    """
    values = worth(steady, cap_w)
    if not fairness.least:
        return values
    smallest = fairness.smallest(steady)
    lacking = np.where(values < 0, values - 1.0, smallest - 1.0)  # -1 to 0 within the power, less beyond it
    return np.where((values >= 0) & (smallest >= fairness.least), values, lacking)


def kept(mappings: Mappings) -> dict[str, Any]:
    """Return the mappings as arrays of a state."""
    return {
        "ends": mappings.ends.astype(np.int32),
        "units": mappings.units.astype(np.int16),
        "steps": mappings.steps.astype(np.int16),
    }


def restored(state: Mapping[str, Any]) -> Mappings:
    """Return the state that a checkpoint stored."""
    ends, units, steps = (np.asarray(state[name], dtype=np.int64) for name in ("ends", "units", "steps"))
    return Mappings(ends, units, steps)
