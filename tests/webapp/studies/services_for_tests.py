from __future__ import annotations

GRID = {
    "engine": "toy",
    "params": {"steps": {"each": [2, 3]}, "designs_per_step": {"each": [3, 4]}},
    "seeds": [1, 2, 3],
}
