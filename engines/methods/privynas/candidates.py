"""Which designs a search ends with: those whose server side is trained. Without torch."""

from __future__ import annotations

from itertools import zip_longest
from typing import Protocol

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Context
from engines.contract.limits import minimum_slack
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.costs import extreme
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.quantities import MEMORY

_DRAWN = 20  # times the number of designs, at most


class Probabilities(Protocol):
    """The probabilities that choices are drawn from."""

    def cuts(self) -> FloatArray:  # noqa: D102
        ...

    def likeliest(self, position: int, epsilon: float) -> Choice:  # noqa: D102
        ...

    def draw(self, stream: np.random.Generator) -> Choice:  # noqa: D102
        ...


def candidates(instance: PrivynasInstance, policy: Probabilities, context: Context) -> list[Choice]:
    """Yield by turns the most probable network of each cut and budget, probable cuts first, and drawn networks.

    Only those that meet the limits, as latency, energy and memory are known beforehand; where none does, the cheapest or smallest
    network alone.
    """
    order = np.argsort(-policy.cuts(), kind="stable").tolist()
    likeliest = [policy.likeliest(instance.positions[place], each) for place in order for each in instance.epsilons]
    stream, most = context.random("candidates"), instance.params.designs
    drawn = [policy.draw(stream) for _ in range(_DRAWN * most)]
    turns = [each for pair in zip_longest(likeliest, drawn) for each in pair if each is not None]
    found = [each for each in dict.fromkeys(turns) if keeps_limits(instance, each)]
    extremes = [cheapest(instance), cheapest(instance, 1), smallest(instance)]
    return found[:most] or [each for each in extremes if keeps_limits(instance, each)][:1] or extremes[:1]


def keeps_limits(instance: PrivynasInstance, choice: Choice) -> bool:
    """Return whether latency, energy and memory are within the limits."""
    seconds, joules = instance.costs.of(choice.operations, choice.position)
    columns = {"latency_s": seconds, "energy_j": joules}
    if MEMORY in instance.allowed:
        columns[MEMORY.column] = instance.memory_bytes(choice.operations, choice.position)
    return bool(minimum_slack(instance.allowed, columns) >= 0)


def cheapest(instance: PrivynasInstance, of: int = 0) -> Choice:
    """Return the network with the least seconds (0) or joules (1) that a cut allows, at the least budget."""
    operations = tuple(int(block[of].argmin()) for block in instance.costs.blocks)
    position = min(instance.positions, key=lambda each: instance.costs.of(operations, each)[of])
    return Choice(operations, position, instance.epsilons[0])


def smallest(instance: PrivynasInstance) -> Choice:
    """Return the network of least memory, at the first cut and the least budget."""
    return Choice(extreme(instance.space, min), instance.positions[0], instance.epsilons[0])
