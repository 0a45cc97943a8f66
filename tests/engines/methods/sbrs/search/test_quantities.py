"""What networks of clusters decide, in words."""

from __future__ import annotations

from engines.contract.decision_columns import decided_cells
from engines.methods.sbrs.search.archive import NetworkRecord
from engines.methods.sbrs.search.quantities import DECISION_COLUMNS


def test_a_network_in_short_words() -> None:
    decision = NetworkRecord((((64, 3), (32, 5)), ()), 71.0, 2.0, "weights").decision()
    assert decided_cells(DECISION_COLUMNS, decision) == {
        "depths": (2.0, 0.0),
        "neurons": ("64+32", "–"),
        "kernels": ("3+5", "–"),
    }
