from __future__ import annotations

GOOD = {"x": [0.0, 0.5, 1.0]}
