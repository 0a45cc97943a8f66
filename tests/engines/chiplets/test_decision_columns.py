from __future__ import annotations

from engines.chiplets.decision_columns import SCHEDULE_COLUMNS
from engines.contract.decision_columns import decided_cells


def test_a_schedule_in_short_words() -> None:
    first = {"models": [{"model": 0, "first_layer": 0, "cuts": [1, 2], "path": [3, 2]}]}
    second = {"models": [{"model": 1, "first_layer": 0, "cuts": [4], "path": [2]}]}
    assert decided_cells(SCHEDULE_COLUMNS, {"layout": None, "windows": [first, second]}) == {
        "chiplets_used": 2.0,
        "segments": 3.0,
        "windows": 2.0,
        "paths": ("W1 A: C3 → C2", "W2 B: C2"),
        "cuts": ("W1 A: 1, 2", "W2 B: 4"),
        "layout": None,
    }
