"""A survey of four devices, one of which cannot run the network."""

from __future__ import annotations

from engines.survey.found import PACKAGES, SOCS, Priced, Survey, Surveyed, Way

BOARD = Surveyed(
    "jetson-agx-xavier", "Xavier", SOCS,
    Priced(
        Way(0.01, 0.15, "GPU 12 blocks, DLA 6"), Way(0.011, 0.2, "GPU alone"), ((0.01, 0.15), (0.03, 0.05)), True, "calibration",
        "fp16, calibration xavier-magnas", 1.2, 1.1, {"calibration": "lab/mine"}, {"unmeasured": "assumed"},
    ),
    "", True,
)  # fmt: skip
SERVER = Surveyed(
    "lab/server", "Server", SOCS,
    Priced(
        Way(0.02, 2.0, "CPU alone"), Way(0.02, 2.0, "CPU alone"), ((0.02, 2.0),), True, "data sheet",
        "fp32, CPU by the data sheet, not measured", None, None, {}, {"unmeasured": "datasheet"},
    ),
)  # fmt: skip
PACKAGE = Surveyed(
    "simba-3x3-nvdla", "Simba", PACKAGES,
    Priced(
        Way(0.005, 0.011, "layers 1 on Shi-diannao, 2–54 on NVDLA"), Way(0.006, 0.012, "NVDLA chiplet alone"),
        ((0.005, 0.011),), True, "dataflow", "int8, dataflow cost model, no measurement",
    ),
    "", True,
)  # fmt: skip
UNABLE = Surveyed("google-edge-tpu", "Edge TPU", SOCS, None, "No unit runs block stem, npu: does not run topk")
FOUND = Survey("ResNet-50", 54, 4.1e9, (PACKAGE, BOARD, SERVER, UNABLE))
