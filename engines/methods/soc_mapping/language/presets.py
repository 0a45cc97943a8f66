"""Problems of language models, ready to run."""

from __future__ import annotations

from engines.contract.engine import Preset

BOARD, MODEL = "rk3588", "qwen3-4b-prefill-512"

PRESETS = (
    Preset(
        "qwen3-rk3588", "Qwen3-4B on RK3588: units and bits", {"hardware": BOARD, "workload": MODEL},
        question="Which unit of an RK3588 should read the prompt of Qwen3-4B and which write the answer, in how many bits?",
    ),
    Preset(
        "qwen3-xavier", "Qwen3-4B on Jetson AGX Xavier: clocks and energy",
        {"hardware": "jetson-agx-xavier", "workload": MODEL}, {"objectives": "times_energy"},
    ),
)  # fmt: skip
