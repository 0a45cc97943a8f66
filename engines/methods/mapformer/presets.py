"""Problems that the form offers by name."""

from __future__ import annotations

from engines.contract.engine import Preset

_MIX = {"hardware": "jetson-agx-xavier", "workload": "ten-image-networks"}
POOLS = "dla: 550 1050 1395.2"  # of the clocks that the publication counts, three of a DLA and off

PRESETS = (
    Preset("ten-15w", "Ten networks within 15 W", _MIX, {"power_limit_w": 15.0, "clock_choices": POOLS}),
    Preset("ten-10w", "Ten networks within 10 W", _MIX, {"power_limit_w": 10.0, "clock_choices": POOLS}),
    Preset("ten-30w", "Ten networks within 30 W", _MIX, {"power_limit_w": 30.0, "clock_choices": POOLS}),
    Preset(
        "ten-mapformer", "Ten networks within 15 W, by MapFormer", _MIX,
        {"power_limit_w": 15.0, "clock_choices": POOLS, "manager": "mapformer"},
    ),
    Preset(
        "come-and-go", "Networks that come and go, 15 W and then 10 W", _MIX,
        {
            "power_limit_w": 15.0, "clock_choices": POOLS, "answer_s": 2.0,
            "changes": "0: +1 +2 +3 +5; 20: +4 +10; 40: +7 +8 -1; 60: 10 W; 80: -5 -3; 100: end",
        },
    ),
    Preset(
        "ten-mosaic", "Ten networks within 15 W, by MOSAIC", _MIX,
        {"power_limit_w": 15.0, "clock_choices": POOLS, "manager": "mosaic"},
    ),
)  # fmt: skip
