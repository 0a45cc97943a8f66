"""Parameters of the engine seesaw."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, number

_SWEEP, _PREDICTOR, _DEVICE, _TRACES = "Sweep", "Predictor", "Device", "Traces"


class SeesawParams(EngineParams):
    """Parameters of the sweep, and the reading of the device's power."""

    least_tolerance_percent: float = number(
        2.0, (0, 100), "%", "Least tolerance", _SWEEP, "First of the error tolerances that are swept.", above=True
    )
    largest_tolerance_percent: float = number(
        20.0, (0, 100), "%", "Largest tolerance", _SWEEP, "Last of the error tolerances that are swept.", above=True
    )
    tolerances: int = for_experts(
        number(8, (1, 50), "", "Tolerances", _SWEEP, "Number of tolerances, evenly spaced from least to largest.")
    )
    most_sensors: int = number(
        2, (1, 4), "", "Sensors together", _SWEEP, "Predictors read all sets of one to this many cheap sensors."
    )
    feedback: Literal["both", "on", "off"] = for_experts(choice(
        "both", "Error feedback", _SWEEP, {"both": "With and without", "on": "With", "off": "Without"},
        "Whether a measured error moves the start node of the tree. Not on videos: "
        "their error cannot be measured while they are taken.",
    ))  # fmt: skip
    most_leaves: int = number(
        9, (2, 100), "", "Leaves", _PREDICTOR,
        "Leaves of the largest tree: 9 leaves are 17 nodes (tracker), 10 are 19 (camera). The search also "
            "evaluates a tree of half the size.",
    )  # fmt: skip
    folds: int = for_experts(
        number(10, (2, 20), "", "Folds", _PREDICTOR, "Folds of the cross-validation (goyal-2023: 10).")
    )
    largest_cross_validation_percent: float = for_experts(number(
        20.0, (0, 100), "%", "Largest cross-validation error", _PREDICTOR,
        "Largest error of a used predictor: root mean square, as a share of the range of rates. Sensors "
            "above it are not used.", above=True,
    ))  # fmt: skip
    train_share: float = for_paper(number(
        0.5, (0.1, 0.9), "", "Training share", _PREDICTOR, "Share of the tracks that trees learn from; the others test."
    ))  # fmt: skip
    motion_scale_pixels: float = for_paper(number(
        6.0, (0, 1e6), "pixels", "Motion scale", _PREDICTOR,
        "Movement of a video's picture at which the error is 63 %. The default is fitted to the published "
            "frame rates, on synthetic videos.", above=True,
    ))  # fmt: skip
    power: Literal["shares", "board"] = choice(
        "shares", "Power", _DEVICE, {"shares": "Measured shares", "board": "Board powers"},
        "Measured life and power shares of the device, or the published powers of its board.",
    )  # fmt: skip
    standby_share: float | None = for_experts(number(
        None, (0, 1), "", "Standby", _DEVICE,
        "Power of the costly sensor between samples, as a share of its power at the highest rate; with "
            "measured shares. Empty: 0.31 on routes, fitted to the tracker's published gains, else 0.",
    ))  # fmt: skip
    processor_sleep_share: float = Field(
        0.0, ge=0, lt=1, title="Processor sleep",
        description="Share of the processor's power at the highest rate that sleep between samples saves; with "
            "measured shares. The value 0.42 gives the camera's published 18 %.",
        json_schema_extra={"group": _DEVICE, "tier": "expert"},
    )  # fmt: skip
    activity: float = for_experts(number(
        1.0, (0, 1), "", "Activity", _DEVICE, "Share of the time in which the device is in use; it sleeps in between.", above=True
    ))  # fmt: skip
    largest_error_percent: float = number(
        100.0, (0, 100), "%", "Largest error", "Limits", "Largest error of any test track; 100: no limit."
    )
    devices: int = for_paper(number(
        100, (1, 1000), "", "Simulated devices", _TRACES, "Number of devices in the traces, with random capacities and powers."
    ))  # fmt: skip
    spread_percent: float = for_paper(
        number(5.0, (0, 30), "%", "Spread", _TRACES, "Standard deviation of their capacities and powers.")
    )
