"""Parameters of the training of bottlenecks."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, number, text
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import Precision, power_mode_field, precision_field, unit_field


class TrainBottleneckParams(EngineParams):
    """The branches, the bottlenecks that are tried, how everything is trained, and the device that costs are of."""

    blocks: int = for_experts(
        number(
            4,
            (2, 8),
            "blocks",
            "Blocks",
            "Branches",
            "Of each branch, two convolutions each; the first gives way to the bottleneck.",
        )
    )
    width: int = for_experts(number(
        16, (4, 256), "channels", "Width", "Branches",
        "Channels of the first third of the blocks; the others have 2 and 4 times that.",
    ))  # fmt: skip
    view_percent: float = for_experts(number(
        75.0, (50, 100), "%", "View", "Branches",
        "Share of an image's columns that each of the two views sees, one from the left, the other from the right.",
    ))  # fmt: skip
    channels: str = text(
        "1 2 3", "Channels", "Bottlenecks", "Of what is sent, each value in 8 bits. Several, apart by spaces, are all tried.",
        longest=100,
    )  # fmt: skip
    strides: str = text(
        "2 4", "Reduction", "Bottlenecks",
        "By so much the encoder divides height and width: 2, 4 or, as published, 8. Several, apart by spaces, are all tried.",
        longest=100,
    )  # fmt: skip
    cost: Literal["macs", "latency"] = for_experts(choice(
        "macs", "Cost of a block", "Blockwise search", {"macs": "Multiply-accumulates", "latency": "Latency on the device"},
        "What the search of blocks keeps within a target.",
    ))  # fmt: skip
    targets: int = number(
        6, (1, 50), "targets", "Targets", "Blockwise search",
        "From the cheapest blocks to the original ones so many costs are allowed; for each the search finds the best blocks.",
    )  # fmt: skip
    epochs: int = number(
        12, (1, 2000), "epochs", "Epochs of the original", "Training", "Passes over the examples, without a bottleneck."
    )
    distillation_epochs: int = for_experts(
        number(
            24,
            (1, 2000),
            "epochs",
            "Epochs of distillation",
            "Training",
            "With the original frozen, all parts at once.",
        )
    )
    tuning_epochs: int = for_experts(number(
        4, (0, 2000), "epochs", "Epochs of tuning", "Training",
        "Of every design that is measured, put together, on the labels and on what the original says. 0: parts as distilled.",
    ))  # fmt: skip
    batch_size: int = for_experts(number(64, (2, 4096), "examples", "Batch", "Training", "Examples per step."))
    learning_rate: float = for_experts(
        number(3e-3, (1e-6, 1.0), "", "Learning rate", "Training", "Of Adam, at the start of each; it falls to 0.")
    )
    measured_examples: int = number(
        1000, (16, 20_000), "images", "Images measured, at most", "Training", "Of each held-out split.", advanced=True
    )
    unit: str = for_experts(unit_field("Device"))
    precision: Precision = for_experts(precision_field("Device"))
    power_mode: str = power_mode_field("Device", advanced=True)
    unmeasured: Unmeasured = for_experts(unmeasured_field("Device", "datasheet"))
