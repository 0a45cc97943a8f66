"""Memory that the device needs up to a cut, and the operations of a space that need least and most."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engines.cost.memory_capacity import memory_demand
from engines.methods.privynas.costs import edge_drawing
from engines.methods.privynas.space import InvertedResidual, PrivacySpace
from engines.workloads.loader import load_network
from engines.workloads.network import ScenarioModel


def needed_bytes(space: PrivacySpace, operations: Sequence[int], position: int, bytes_per_element: int) -> float:
    """Return the bytes of stem and blocks up to the cut, the map and its noise being held at the end."""
    drawing = edge_drawing(space, operations, position)
    drawing.add("noise")
    network = load_network({
        "schema": "network/1", "slug": "edge", "title": "Edge", "short_title": "Edge", "summary": "",
        "source": "of a private split network", "operations": drawing.rows,
    })  # fmt: skip
    return float(memory_demand([ScenarioModel(network, 1)]).total_bytes(bytes_per_element))


def extreme(space: PrivacySpace, choose: Callable[..., InvertedResidual | None]) -> tuple[int, ...]:
    """Return the operations of least (`min`) or most (`max`) memory, the same at every cut."""

    def size(operation: InvertedResidual | None) -> tuple[int, int]:
        return (0, 0) if operation is None else (operation.expansion, operation.kernel)

    return tuple(block.operations.index(choose(block.operations, key=size)) for block in space.blocks)
