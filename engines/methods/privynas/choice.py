"""A network of the space with its cut and its budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import DecisionError
from engines.methods.privynas.instance import PrivynasInstance


@dataclass(frozen=True)
class Choice:
    """A network, its cut and its budget.

    Attributes:
        operations: operations of each block, by number.
        position: blocks on the device.
        epsilon: the budget.
    """

    operations: tuple[int, ...]
    position: int
    epsilon: float

    @property
    def name(self) -> str:
        """For streams and files."""
        return f"{'.'.join(map(str, self.operations))}-{self.position}-{self.epsilon!r}"


def decision_of(instance: PrivynasInstance, choice: Choice) -> dict[str, Any]:
    """Return a choice as it is stored."""
    pairs = zip(instance.space.blocks, choice.operations, strict=True)
    operations = [block.names[place] for block, place in pairs]
    return {"operations": operations, "position": choice.position, "epsilon": choice.epsilon}


def choice_of(instance: PrivynasInstance, decision: Mapping[str, Any]) -> Choice:
    """Return the choice of a decision.

    Raises:
        DecisionError: operations, a cut or a budget that the space does not have.
    """
    operations, position, epsilon = (decision.get(name) for name in ("operations", "position", "epsilon"))
    blocks = instance.space.blocks
    if not isinstance(operations, list) or len(operations) != len(blocks):
        raise DecisionError("decision.operations", operations, f"a list of {len(blocks)} operations")
    for number, (block, operation) in enumerate(zip(blocks, operations, strict=True), start=1):
        if operation not in block.names:
            raise DecisionError(f"decision.operations of block {number}", operation, f"one of {', '.join(block.names)}")
    if position not in instance.positions:
        raise DecisionError("decision.position", position, f"one of {', '.join(map(str, instance.positions))}")
    if epsilon not in instance.epsilons:
        raise DecisionError(
            "decision.epsilon", epsilon, f"one of {', '.join(f'{each:g}' for each in instance.epsilons)}"
        )
    places = tuple(block.names.index(each) for block, each in zip(blocks, operations, strict=True))
    return Choice(places, int(position), float(epsilon))
