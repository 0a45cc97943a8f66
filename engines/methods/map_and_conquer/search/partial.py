"""Partial configurations of one mapping at one clock setting, layer after layer: which of them can still become the best.

What later layers need to know of the earlier ones is little: when each stage has all it waits for, what it has cost, what it sees
of what matters, and how much of the last layer it has. Of two partial configurations that agree in the last of these, one that is
later, dearer and sees less cannot end up better: mean latency and energy grow with each of the first two and fall with the third
(inputs leave earlier), and accuracy rises with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray, IntArray

Kind = TypeVar("Kind", np.float64, np.int64)


@dataclass(frozen=True)
class Partials:
    """`p` partial configurations of `M` stages.

    Attributes:
        has: steps of the last layer that each stage has, shape `p x M`.
        ready_s: when each stage has all it waits for, shape `p x M`.
        energy_j: energy in joules of each stage, shape `p x M`.
        mass: summed over layers, shape `p x M`.
        reused: entries of the indicator matrix, shape `p`.
        kept_bytes: features kept, shape `p`.
        cuts, reuses: numbers of the choices of each layer so far, shape `p x j`.
    """

    has: IntArray
    ready_s: FloatArray
    energy_j: FloatArray
    mass: FloatArray
    reused: FloatArray
    kept_bytes: FloatArray
    cuts: IntArray
    reuses: IntArray

    def __len__(self) -> int:
        return len(self.reused)

    def take(self, rows: IntArray) -> Partials:
        """Return the partial designs at `rows`."""
        return Partials(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


def nothing_yet(stages: int, steps: int) -> Partials:
    """Return the state before the first layer, whose input every stage has whole."""
    zero = np.zeros((1, stages))
    none = np.empty((1, 0), dtype=np.int64)
    return Partials(np.full((1, stages), steps), zero, zero, zero, np.zeros(1), np.zeros(1), none, none)


@dataclass(frozen=True)
class LayerCosts:
    """The costs of a layer for the stages of one mapping at one setting.

    Attributes:
        latency_s, energy_j: of each stage by steps written and read, shape `M x (q + 1) x (q + 1)`.
        transfer_s, transfer_j, feature_bytes: of a part by its steps, shape `q + 1`; None of the exit.
        mass_of: importance in the most important steps, shape `q + 1`; None of the exit.
    """

    latency_s: FloatArray
    energy_j: FloatArray
    transfer_s: FloatArray | None = None
    transfer_j: FloatArray | None = None
    feature_bytes: FloatArray | None = None
    mass_of: FloatArray | None = None


def with_layer(partials: Partials, layer: LayerCosts, cuts: IntArray, reuses: BoolArray) -> Partials:
    """Return every partial configuration with every cut of the next layer, its features reused in every way.

    Args:
        partials: `p` of them.
        layer: next layer.
        cuts: shape `c x M`.
        reuses: shape `r x M`.

    Returns:
        `p c r` of them.
    """
    assert layer.transfer_s is not None and layer.transfer_j is not None
    assert layer.feature_bytes is not None and layer.mass_of is not None
    count, choices, ways = len(partials), len(cuts), len(reuses)
    stage = np.arange(cuts.shape[1])
    done_s = partials.ready_s[:, None] + layer.latency_s[stage, cuts[None], partials.has[:, None]]
    cost_j = partials.energy_j[:, None] + layer.energy_j[stage, cuts[None], partials.has[:, None]]
    ends = np.cumsum(cuts, axis=1)
    own = layer.mass_of[ends] - layer.mass_of[ends - cuts]
    arrives = np.where(reuses[None, None], (done_s + layer.transfer_s[cuts])[:, :, None], -np.inf)
    arrives = np.maximum.accumulate(arrives, axis=3)
    ready = np.repeat(done_s[:, :, None], ways, axis=2)
    ready[..., 1:] = np.maximum(ready[..., 1:], arrives[..., :-1])
    received_j = _earlier(np.where(reuses[None], layer.transfer_j[cuts][:, None], 0.0))
    seen = own[:, None] + _earlier(np.where(reuses[None], own[:, None], 0.0))
    has = cuts[:, None] + _earlier(np.where(reuses[None], cuts[:, None], 0))
    kept = np.where(reuses[None], layer.feature_bytes[cuts][:, None], 0.0).sum(axis=2)
    shape = (count, choices, ways)
    cut, way = np.broadcast_arrays(np.arange(choices)[None, :, None], np.arange(ways)[None, None])
    row = np.repeat(np.arange(count), choices * ways)
    return Partials(
        has=np.broadcast_to(has, (*shape, len(stage))).reshape(-1, len(stage)),
        ready_s=ready.reshape(-1, len(stage)),
        energy_j=(cost_j[:, :, None] + received_j).reshape(-1, len(stage)),
        mass=(partials.mass[:, None, None] + seen).reshape(-1, len(stage)),
        reused=(partials.reused[:, None, None] + np.broadcast_to(reuses.sum(axis=1), shape)).reshape(-1),
        kept_bytes=(partials.kept_bytes[:, None, None] + kept).reshape(-1),
        cuts=np.column_stack([partials.cuts[row], np.broadcast_to(cut, shape).reshape(-1)]),
        reuses=np.column_stack([partials.reuses[row], np.broadcast_to(way, shape).reshape(-1)]),
    )


def _earlier(values: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """Sum over the stages before each one, along the last axis."""
    return np.asarray(np.cumsum(values, axis=-1) - values)
