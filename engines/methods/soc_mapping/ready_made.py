"""Problems of the publication, ready to run."""

from __future__ import annotations

from engines.contract.engine import ReadyMade

_XAVIER = {"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}
_ACCELERATORS = {"hardware": "three-dataflow-accelerators", "workload": "magnas-pvig-m-products"}
_KEPT = {**_ACCELERATORS, "hardware": "three-dataflow-accelerators-sums-kept"}

READY_MADE = (
    # Table 4: between GPU and DLA alone; 40 % is the middle one of its seven.
    ReadyMade("table-4", "MaGNAS: ViG-S within 40 % of the GPU", _XAVIER, {"latency_slack_percent": 40.0}),
    ReadyMade(
        "xavier", "MaGNAS: ViG-S, whole front", {**_XAVIER, "calibration": "xavier-magnas"},
        question="Which blocks of a vision network belong on the GPU of a Jetson AGX Xavier, and which on its DLA?",
    ),
    ReadyMade("accelerators", "MaGNAS: three accelerators, PyramidViG-M by blocks", _ACCELERATORS),
    ReadyMade("accelerators-layers", "The same by layers, sums kept", _KEPT, {"granularity": "layers"}),
)  # fmt: skip
