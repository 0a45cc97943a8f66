"""A survey of four devices, one of which cannot run the network."""

from __future__ import annotations

from engines.survey.survey_result import PACKAGES, SOCS, DeviceEstimate, DeviceMapping, Survey, SurveyRow

BOARD = SurveyRow(
    "jetson-agx-xavier", "Xavier", SOCS,
    DeviceEstimate(
        DeviceMapping(0.01, 0.15, "GPU 12 blocks, DLA 6"), DeviceMapping(0.011, 0.2, "GPU alone"),
        ((0.01, 0.15), (0.03, 0.05)), True, "calibration",
        "fp16, calibration xavier-magnas", 1.2, 1.1, {"calibration": "lab/mine"}, {"unmeasured": "assumed"},
        certainty="calibrated",
    ),
    "", True,
)  # fmt: skip
SERVER = SurveyRow(
    "lab/server", "Server", SOCS,
    DeviceEstimate(
        DeviceMapping(0.02, 2.0, "CPU alone"), DeviceMapping(0.02, 2.0, "CPU alone"), ((0.02, 2.0),), True, "data sheet",
        "fp32, CPU by the data sheet, not measured", None, None, {}, {"unmeasured": "datasheet"},
        certainty="data sheet",
    ),
)  # fmt: skip
PACKAGE = SurveyRow(
    "simba-3x3-nvdla", "Simba", PACKAGES,
    DeviceEstimate(
        DeviceMapping(0.005, 0.011, "layers 1 on Shi-diannao, 2–54 on NVDLA"), DeviceMapping(0.006, 0.012, "NVDLA chiplet alone"),
        ((0.005, 0.011),), True, "dataflow", "int8, dataflow cost model, no measurement",
    ),
    "", True,
)  # fmt: skip
UNABLE = SurveyRow("google-edge-tpu", "Edge TPU", SOCS, None, "No unit runs block stem, npu: does not run topk")
FOUND = Survey("ResNet-50", 54, 4.1e9, (PACKAGE, BOARD, SERVER, UNABLE))
