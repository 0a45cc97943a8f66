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
            "Blocks of each branch, with two convolutions each; the bottleneck replaces the first.",
        )
    )
    width: int = for_experts(number(
        16, (4, 256), "channels", "Width", "Branches",
        "Channels of the first third of the blocks; the others have 2 and 4 times that.",
    ))  # fmt: skip
    view_percent: float = for_experts(number(
        75.0, (50, 100), "%", "View", "Branches",
        "Share of an image's columns that each of the two views sees, one from the left, one from the right.",
    ))  # fmt: skip
    channels: str = text(
        "1 2 3", "Channels", "Bottlenecks", "Channels of the transferred data, each value in 8 bits. Spaces separate several "
        "numbers; the "
            "search evaluates all.",
        longest=100,
    )  # fmt: skip
    strides: str = text(
        "2 4", "Reduction", "Bottlenecks",
        "Factor by which the encoder divides height and width: 2, 4 or 8 (published). Spaces separate several; the "
            "search evaluates all.",
        longest=100,
    )  # fmt: skip
    cost: Literal["macs", "latency"] = for_experts(choice(
        "macs", "Cost of a block", "Blockwise search", {"macs": "Multiply-accumulates", "latency": "Latency on the device"},
        "Cost that the search of blocks limits.",
    ))  # fmt: skip
    targets: int = number(
        6, (1, 50), "targets", "Targets", "Blockwise search",
        "Number of cost targets from the cheapest blocks to the original ones. The search finds the best "
            "blocks for each.",
    )  # fmt: skip
    epochs: int = number(
        12, (1, 2000), "epochs", "Epochs of the original", "Training",
        "Passes over the examples in the training without a bottleneck.",
    )  # fmt: skip
    distillation_epochs: int = for_experts(number(
        24, (1, 2000), "epochs", "Epochs of distillation", "Training",
        "Epochs of distillation of all parts at once, with the original network frozen.",
    ))  # fmt: skip
    tuning_epochs: int = for_experts(number(
        4, (0, 2000), "epochs", "Epochs of tuning", "Training",
        "Epochs for every measured design, assembled, on the labels and on the outputs of the original. 0: "
            "parts as distilled.",
    ))  # fmt: skip
    batch_size: int = for_experts(number(64, (2, 4096), "examples", "Batch", "Training", "Examples per step."))
    learning_rate: float = for_experts(
        number(
            3e-3,
            (1e-6, 1.0),
            "",
            "Learning rate",
            "Training",
            "Learning rate of Adam at the start of each; it falls to 0.",
        )
    )
    measured_examples: int = number(
        1000,
        (16, 20_000),
        "images",
        "Images measured, at most",
        "Training",
        "Number of images of each held-out split.",
        advanced=True,
    )
    unit: str = for_experts(unit_field("Device"))
    precision: Precision = for_experts(precision_field("Device"))
    power_mode: str = power_mode_field("Device", advanced=True)
    unmeasured: Unmeasured = for_experts(unmeasured_field("Device", "datasheet"))
