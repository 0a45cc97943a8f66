"""A small document of silicon costs with round figures that tests change in one place."""

from __future__ import annotations

import copy
from typing import Any

_EFFORT = (
    "front_end_labour_usd_per_gate",
    "front_end_tools_usd_per_gate",
    "back_end_labour_usd_per_gate",
    "back_end_tools_usd_per_gate",
)
_CONTENT: dict[str, Any] = {
    "schema": "silicon-cost/1",
    "slug": "round-figures",
    "title": "Round figures",
    "source": "made up",
    "wafer": {"diameter_mm": 200, "reticle_width_mm": 20, "reticle_height_mm": 30},
    "processes": {
        "old": {
            "wafer_usd": 1000, "mask_set_usd": 1e6, "defects_per_m2": 1000, "critical_percent": 100, "gates_per_mm2": 1000,
        },
    },
    "interposer": {"wafer_usd": 500, "defects_per_m2": 100, "critical_percent": 100, "area_overhead_percent": 25},
    "defects": {"clustering": 1},
    "design": {
        "new_block": dict(zip(_EFFORT, (0.05, 0.05, 0.1, 0.3), strict=True)),
        "reused_block": dict(zip(_EFFORT, (0.0, 0.0, 0.1, 0.2), strict=True)),
        "new_chiplet": dict(zip(_EFFORT, (0.05, 0.05, 0.2, 0.3), strict=True)),
        "top_level_gates": 100,
        "licence_usd": 1000,
        "verification_percent": 50,
        "chiplet_masks": "set-each",
    },
    "assembly": {"bonding_usd": 0.1, "bond_yield_percent": 90, "chiplet_area_overhead_percent": 0},
    "test": {"die_usd_per_mm2": 0.01, "interposer_usd_per_mm2": 0.02, "interposer_usd": 0.5, "probing_usd": 0.2},
    "sources": dict.fromkeys(
        ("wafer", "processes", "interposer", "defects", "design", "assembly", "test"), "made up"
    ),
}  # fmt: skip


def silicon_content(**changes: Any) -> dict[str, Any]:
    """A fresh document; `wafer__diameter_mm=300` sets a figure in a section."""
    content = copy.deepcopy(_CONTENT)
    for path, value in changes.items():
        *parents, last = path.split("__")
        part = content
        for name in parents:
            part = part[name]
        part[last] = value
    return content
