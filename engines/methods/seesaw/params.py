"""Parameters of the engine seesaw."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engines.contract import EngineParams


class SeesawParams(EngineParams):
    """What is swept, and which reading of the device's power counts."""

    least_tolerance_percent: float = Field(
        2.0, gt=0, le=100, title="Least tolerance", description="First of the error tolerances that are swept.",
        json_schema_extra={"unit": "%", "group": "Sweep"},
    )  # fmt: skip
    largest_tolerance_percent: float = Field(
        20.0, gt=0, le=100, title="Largest tolerance", description="Last of the error tolerances that are swept.",
        json_schema_extra={"unit": "%", "group": "Sweep"},
    )  # fmt: skip
    tolerances: int = Field(
        8, ge=1, le=50, title="Tolerances", description="How many tolerances, evenly from the least to the largest.",
        json_schema_extra={"group": "Sweep"},
    )  # fmt: skip
    most_sensors: int = Field(
        2, ge=1, le=4, title="Sensors together", description="Predictors read all sets of one to this many cheap sensors.",
        json_schema_extra={"group": "Sweep"},
    )  # fmt: skip
    feedback: Literal["both", "on", "off"] = Field(
        "both", title="Error feedback", description="Whether a measured error moves the start node of the tree. Not on videos: "
        "their error cannot be measured while they are taken.",
        json_schema_extra={"group": "Sweep", "choices": {"both": "With and without", "on": "With", "off": "Without"}},
    )  # fmt: skip
    most_leaves: int = Field(
        9, ge=2, le=100, title="Leaves", description="Of the largest tree: 9 leaves are 17 nodes (tracker), 10 are 19 (camera). "
        "A tree of half as many is tried beside it.",
        json_schema_extra={"group": "Predictor"},
    )  # fmt: skip
    folds: int = Field(
        10, ge=2, le=20, title="Folds", description="Of the cross-validation (goyal-2023: 10).",
        json_schema_extra={"group": "Predictor"},
    )  # fmt: skip
    largest_cross_validation_percent: float = Field(
        20.0, gt=0, le=100, title="Largest cross-validation error",
        description="Sensors whose predictor is off by more are not used; share of the range of rates, root mean square.",
        json_schema_extra={"unit": "%", "group": "Predictor"},
    )  # fmt: skip
    train_share: float = Field(
        0.5, ge=0.1, le=0.9, title="Training share", description="Share of the tracks that trees learn from; the others test.",
        json_schema_extra={"group": "Predictor", "advanced": True},
    )  # fmt: skip
    motion_scale_pixels: float = Field(
        6.0, gt=0, le=1e6, title="Motion scale", description="Of a video: movement of the picture at which its error is 63 %. "
        "6 was fitted to the published frame rates, on synthetic videos.",
        json_schema_extra={"unit": "pixels", "group": "Predictor", "advanced": True},
    )  # fmt: skip
    power: Literal["shares", "board"] = Field(
        "shares", title="Power", description="Measured life and power shares of the device, or the printed powers of its board.",
        json_schema_extra={"group": "Device", "choices": {"shares": "Measured shares", "board": "Board powers"}},
    )  # fmt: skip
    standby_share: float | None = Field(
        None, ge=0, le=1, title="Standby", description="What the dear sensor takes between samples, as a share of what it takes "
        "at its highest rate; with measured shares. Empty: 0.31 on routes, fitted to the tracker's published gains, else 0.",
        json_schema_extra={"group": "Device"},
    )  # fmt: skip
    processor_sleep_share: float = Field(
        0.0, ge=0, lt=1, title="Processor sleep", description="Share of the processor's power at the highest rate that sleep "
        "between samples saves; with measured shares. 0.42 gives the camera's published 18 %.",
        json_schema_extra={"group": "Device", "advanced": True},
    )  # fmt: skip
    activity: float = Field(
        1.0, gt=0, le=1, title="Activity", description="Share of the time in which the device is in use; it sleeps in between.",
        json_schema_extra={"group": "Device"},
    )  # fmt: skip
    largest_error_percent: float = Field(
        100.0, ge=0, le=100, title="Largest error", description="What no test track may exceed; 100: no limit.",
        json_schema_extra={"unit": "%", "group": "Limits"},
    )  # fmt: skip
    devices: int = Field(
        100, ge=1, le=1000, title="Simulated devices", description="In the traces: devices whose batteries and powers scatter.",
        json_schema_extra={"group": "Traces", "advanced": True},
    )  # fmt: skip
    spread_percent: float = Field(
        5.0, ge=0, le=30, title="Spread", description="Standard deviation of their capacities and powers.",
        json_schema_extra={"unit": "%", "group": "Traces", "advanced": True},
    )  # fmt: skip
