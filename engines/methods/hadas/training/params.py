"""Parameters of the training of exits."""

from __future__ import annotations

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import for_experts, for_paper, number


class TrainExitsParams(EngineParams):
    """The backbone, and how it and its exits are trained."""

    blocks: int = number(
        6,
        (2, 32),
        "blocks",
        "Blocks",
        "Backbone",
        "Convolutions of the backbone; exits are allowed after each but the last.",
    )
    width: int = number(
        16,
        (4, 512),
        "channels",
        "Width",
        "Backbone",
        "Channels of the first third of the blocks; the others have 2 and 4 times that.",
    )
    exit_channels: int = for_paper(number(
        32, (4, 2048), "channels", "Channels of an exit", "Exits",
        "Channels of the convolution of an exit. The published 224 cost more than a small backbone.",
    ))  # fmt: skip
    epochs: int = number(12, (1, 2000), "epochs", "Epochs of the backbone", "Training", "Passes over the examples.")
    exit_epochs: int = number(
        12, (1, 2000), "epochs", "Epochs of the exits", "Training",
        "Epochs of training of all exits at once, with the backbone frozen (eq. 2.4).",
    )  # fmt: skip
    batch_size: int = for_experts(number(64, (2, 4096), "examples", "Batch", "Training", "Examples per step."))
    learning_rate: float = for_experts(
        number(
            3e-3, (1e-6, 1.0), "", "Learning rate", "Training", "Learning rate of Adam, at the start; it falls to 0."
        )
    )
    measured_examples: int = number(
        1000,
        (16, 20_000),
        "images",
        "Images measured, at most",
        "Measurement",
        "Number of images of each held-out split.",
        advanced=True,
    )
