"""What networks of clusters decide, in words."""

from __future__ import annotations

from engines.contract.decided import decided_cells
from engines.methods.sbrs.search.archive import Measured
from engines.methods.sbrs.search.quantities import DECIDES


def test_a_network_in_short_words() -> None:
    decision = Measured((((64, 3), (32, 5)), ()), 71.0, 2.0, "weights").decision()
    assert decided_cells(DECIDES, decision) == {
        "depths": (2.0, 0.0),
        "neurons": ("64+32", "–"),
        "kernels": ("3+5", "–"),
    }
