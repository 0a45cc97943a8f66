"""Problems of the publication, ready to run."""

from __future__ import annotations

from engines.contract.engine import Preset

_XAVIER = {"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}
_ACCELERATORS = {"hardware": "three-dataflow-accelerators", "workload": "magnas-pvig-m-products"}
_KEPT = {**_ACCELERATORS, "hardware": "three-dataflow-accelerators-sums-kept"}
# Each layer of ResNet-50 suits another dataflow, so that no accelerator alone is among the best: what forms open with.
ACCELERATORS = {**_KEPT, "workload": "resnet50"}

PRESETS = (
    # Table 4: between GPU and DLA alone; 40 % is the middle one of its seven.
    Preset("table-4", "MaGNAS: ViG-S within 40 % of the GPU", _XAVIER, {"latency_slack_percent": 40.0}),
    Preset("xavier", "MaGNAS: ViG-S, whole front", {**_XAVIER, "calibration": "xavier-magnas"}),
    Preset("accelerators", "MaGNAS: three accelerators, PyramidViG-M by blocks", _ACCELERATORS),
    Preset("accelerators-layers", "The same by layers, sums kept", _KEPT, {"granularity": "layers"}),
    Preset(
        "resnet50-accelerators", "ResNet-50 on three accelerators, layer by layer", ACCELERATORS,
        {"granularity": "layers"},
        question="Which layers of ResNet-50 belong on which of three accelerators of different dataflows?",
    ),
)  # fmt: skip
