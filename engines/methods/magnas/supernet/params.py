"""Parameters of the training of a supernet."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, number, switch

Family = Literal["small", "small_pyramid", "vig_s", "pyramid_vig"]


class TrainSupernetParams(EngineParams):
    """Which supernet, how long and how it is trained, and how many of its subnets are measured at the end."""

    family: Family = choice(
        "small",
        "Supernet",
        "Supernet",
        {
            "small": "Small, isotropic",
            "small_pyramid": "Small pyramid",
            "vig_s": "ViG-S, as published",
            "pyramid_vig": "Pyramid ViG",
        },
        "Small: the published choices on a network that a computer without a GPU trains in minutes. ViG-S and Pyramid ViG take "
        "images of 224 x 224 and want a GPU.",
    )
    width: int = number(
        16,
        (4, 256),
        "channels",
        "Width",
        "Supernet",
        "Channels of the first superblock of a small supernet; a multiple of 4.",
    )
    deepest: int = for_paper(
        number(
            4,
            (1, 8),
            "blocks",
            "Blocks per superblock, at most",
            "Supernet",
            "The depths of a small supernet are this, one less and two less; the paper's are 2, 3 and 4.",
        )
    )
    image_side: int | None = for_experts(
        number(
            None,
            (4, 512),
            "pixels",
            "Images scaled to",
            "Supernet",
            "Side that images are scaled to. Empty: as they are; ViG-S and Pyramid ViG always take 224.",
        )
    )
    epochs: int = number(24, (1, 2000), "epochs", "Epochs", "Training", "Passes over the training examples.")
    batch_size: int = for_experts(
        number(64, (2, 4096), "examples", "Batch", "Training", "Examples per step; the paper's 320 needs a GPU.")
    )
    learning_rate: float = for_experts(number(
        0.003, (1e-6, 1.0), "", "Learning rate", "Training",
        "Learning rate at the start; it falls along a cosine to zero (odema-2023 section 5.1.2).",
    ))  # fmt: skip
    weight_decay: float = for_paper(number(
        0.05, (0.0, 1.0), "", "Weight decay", "Training",
        "Weight decay, decoupled from the gradient (AdamW). The default is the published value.",
    ))  # fmt: skip
    dropout: float = for_paper(number(
        0.2, (0.0, 0.9), "", "Dropout", "Training",
        "Share of features before the classifier that are dropped. The default is the published value.",
    ))  # fmt: skip
    random_subnets: int = for_experts(number(
        2, (0, 16), "subnets", "Random subnets", "Training",
        "Random subnets per step, in addition to the largest and the smallest. Their graph operators are drawn evenly.",
    ))  # fmt: skip
    distillation: float = for_paper(number(
        0.5, (0.0, 1.0), "", "Distillation", "Training",
        "Share of the loss from the outputs of the largest subnet; the rest comes from the labels.",
    ))  # fmt: skip
    training_examples: int | None = number(
        None,
        (16, 10_000_000),
        "examples",
        "Training examples, at most",
        "Training",
        "Number of training images, the first in a seeded order. Empty: all.",
        advanced=True,
    )
    held_out_examples: int | None = number(
        None,
        (8, 10_000_000),
        "examples",
        "Held-out examples, at most",
        "Measurement",
        "Number of validation and of test images for measurements, the first in a seeded order. Empty: all.",
        advanced=True,
    )
    measured_subnets: int = for_experts(number(
        64, (1, 10_000), "subnets", "Measured subnets", "Measurement",
        "Random subnets measured on held-out examples after training, in addition to the largest and "
            "smallest of every operator.",
    ))  # fmt: skip
    use_gpu: bool = switch(
        False,
        "On a GPU",
        "Training",
        "Wait for a worker with a GPU. Figures then repeat exactly on the same kind of device alone.",
    )
