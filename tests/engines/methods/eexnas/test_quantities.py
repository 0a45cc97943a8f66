"""What networks with an exit decide, in words."""

from __future__ import annotations

from engines.contract.decision_columns import decided_cells
from engines.methods.eexnas.architecture import Architecture, Block
from engines.methods.eexnas.quantities import DECISION_COLUMNS


def test_a_network_in_short_words() -> None:
    network = Architecture((Block(16, 5, 2, 3, 2), Block(32, 3, 1, 0, 0)), hidden=64)
    assert decided_cells(DECISION_COLUMNS, network.decision) == {
        "filters": (16.0, 32.0),
        "kernels": (5.0, 3.0),
        "strides": (2.0, 1.0),
        "pools": ("3/2", "none"),
        "hidden": 64.0,
    }
