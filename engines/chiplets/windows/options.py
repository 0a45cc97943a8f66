"""Options that the search of one window passes to the search over all windows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engines.chiplets.problem.decision import Window
from engines.chiplets.problem.objectives import Goal
from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import EngineError
from engines.search.dominance import non_dominated_by_group

_MOST_ON_FRONT = 64
_MOST_OTHERS = 128


class DeadEndError(EngineError):
    """The models of a window cannot all start on the chiplets that are open to them after the windows before.

    Attributes:
        models: number of models.
        starts: on how many chiplets models may start.
    """

    def __init__(self, models: int, starts: int) -> None:
        self.models, self.starts = models, starts
        super().__init__(f"{models} models cannot all start on the {starts} chiplets that are open to them.")


@dataclass(frozen=True)
class WindowOption:
    """One complete mapping of a window with its latency and energy."""

    window: Window
    latency_s: float
    energy_j: float


@dataclass(frozen=True)
class WindowProof:
    """How good the best mapping of a window is for certain.

    Attributes:
        lower_bound: no mapping of the stated model has less of the objective.
        proven: whether the best mapping is proven optimal for the stated model (up to rounding).
        states: partial mappings that the search looked at; 0 where they were not counted.
    """

    lower_bound: float
    proven: bool
    states: int


@dataclass(frozen=True)
class WindowOptions:
    """The options of one window.

    Attributes:
        best: by the objective.
        options: other mappings worth keeping, the non-dominated first.
        nodes: chiplets provisioned per model of the window.
        notes: sentences on what was cut short.
        proof: proof of an exact search, None of others.
    """

    best: WindowOption
    options: tuple[WindowOption, ...]
    nodes: tuple[int, ...]
    notes: tuple[str, ...] = field(default=())
    proof: WindowProof | None = None


def best_and_spread(latency_s: FloatArray, energy_j: FloatArray, goal: Goal) -> tuple[int, list[int]]:
    """Return the index of the best mapping, and a selection: the front first, then others spread over the objective.

    Latency and energy have shape `n`.
    """
    value = goal.value(latency_s, energy_j)
    best = int(np.lexsort((energy_j, latency_s, value))[0])
    front = non_dominated_by_group(np.zeros(len(value), np.int64), latency_s, energy_j)
    rest = np.setdiff1d(np.arange(len(value)), front)
    # The rest is listed by how near it is to the best, at a steady stride, so that a sample of it stays spread out.
    rest = rest[np.argsort(value[rest], kind="stable")]
    return best, [*_thin(front, _MOST_ON_FRONT).tolist(), *_thin(rest, _MOST_OTHERS).tolist()]


def _thin(indices: IntArray, most: int) -> IntArray:
    """Return at most `most` of `indices`, shape `n`, evenly spaced, the first and the last included."""
    if len(indices) <= most:
        return indices
    return indices[np.linspace(0, len(indices) - 1, most).round().astype(np.int64)]
