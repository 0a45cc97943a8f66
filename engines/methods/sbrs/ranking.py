"""Which network serves which requirements: ranks per objective, weighted and summed (minakova-2022 eqs. 4 and 5).

Equal values share the better rank ("1, 2, 2, 4"). Of networks with the same lowest sum the paper takes one at random, or gives
accuracy a little more weight; here the more accurate one is taken, then the one with more throughput, less memory, less energy, and
at last the first: the same answer every time, and what was tied is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.numeric.ordered_sums import product_in_order

OBJECTIVES = ("accuracy", "throughput", "memory", "energy")
SENSES = (1.0, 1.0, -1.0, -1.0)  # +1: more is better
_SAME = 1e-9


@dataclass(frozen=True)
class Requirements:
    """A requirement set: how much accuracy, throughput, memory and energy weigh; the weights sum to 1."""

    name: str
    weights: tuple[float, float, float, float]

    def __post_init__(self) -> None:
        if min(self.weights) < 0 or abs(sum(self.weights) - 1) > 1e-6:
            raise ValueError(f"Weights must be from 0 on and sum to 1. Got {self.weights} instead.")


@dataclass(frozen=True)
class Choice:
    """The network chosen for a requirement set.

    Attributes:
        network: its number.
        sums: weighted rank of every network, shape `n` (eq. 5).
        tied: numbers of all networks with the lowest sum, the chosen one among them.
    """

    network: int
    sums: FloatArray
    tied: tuple[int, ...]


def ranks(values: FloatArray) -> IntArray:
    """Return the rank of every network by every objective, 1 = best; equal values share the better rank.

    Args:
        values: `n x 4`: accuracy, throughput, memory, energy.
    """
    ordered = values * np.array(SENSES)
    return np.asarray(1 + (ordered[None, :, :] > ordered[:, None, :]).sum(axis=1), dtype=np.int64)


def choose(
    values: FloatArray,
    requirements: Requirements,
    given_ranks: IntArray | None = None,
    among: Sequence[int] | None = None,
) -> Choice:
    """Return the network of the lowest weighted rank.

    Args:
        values: `n x 4`; they decide between networks of equal sums, and rank them unless ranks are given.
        requirements: the weights.
        given_ranks: `n x 4`: ranks to weigh instead of those of the values.
        among: numbers of the networks that can be chosen; all of them are ranked, and by default any can be chosen.
    """
    sums = product_in_order(ranks(values) if given_ranks is None else given_ranks, requirements.weights)
    open_ = np.arange(len(values)) if among is None else np.array(sorted(among), dtype=np.int64)
    tied = open_[sums[open_] <= sums[open_].min() + _SAME]
    better = values[tied] * np.array(SENSES)
    order = np.lexsort([tied, *(-better[:, column] for column in reversed(range(4)))])
    return Choice(int(tied[order[0]]), sums, tuple(int(number) for number in tied))


def tied_with(choice: Choice, names: Sequence[str]) -> str:
    """Return the others with which the chosen network was tied; empty without ties."""
    return ", ".join(names[number] for number in choice.tied if number != choice.network)


def in_words(choice: Choice, names: Sequence[str]) -> str:
    """Return why this network: its sum, and with which it was tied."""
    chosen = f"{names[choice.network]} has the lowest weighted rank, {choice.sums[choice.network]:g}"
    others = tied_with(choice, names)
    if not others:
        return f"{chosen}."
    return f"{chosen}, as {others}; of these it is the most accurate, then the fastest, smallest, thriftiest."
