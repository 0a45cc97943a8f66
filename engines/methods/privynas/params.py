"""Parameters of the search."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, limit, number, text
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import Precision, power_mode_field, precision_field, unit_field
from engines.methods.privynas.space import SpaceName
from engines.simulation.radio_link import bandwidth_field

_PRIVACY, _NETWORKS, _SEARCH, _TRAINING, _DEVICE = "Privacy", "Networks", "Search", "Training", "Device and radio"


class PrivynasParams(EngineParams):
    """Parameters of the search, the training, and the device."""

    epsilons: str = text(
        "2.8 5.6 11.2 22.4", "Budgets", _PRIVACY,
        "Values of epsilon to choose from at a cut, separated by spaces, each above 0. Published: 2.8.",
        longest=200,
    )  # fmt: skip
    positions: str = for_experts(text(
        "", "Cuts", _PRIVACY, "Blocks after which a network may be cut, from 1 on, separated by spaces. Empty: any block.",
        longest=200,
    ))  # fmt: skip
    refresh_epochs: int = number(
        1, (1, 1000), "epochs", "Bounds measured again after", _PRIVACY,
        "Epochs between two measurements of the bounds B, from the end of the clean training on.", advanced=True,
    )  # fmt: skip
    space: SpaceName = choice(
        "small", "Space", _NETWORKS,
        {"small": "Small: 3 stages, 6 blocks", "published": "As published: MobileNetV2, 6 stages, 21 blocks"},
        "Search space of the networks.",
    )  # fmt: skip
    depth: int | None = for_experts(
        number(
            None,
            (1, 8),
            "blocks",
            "Blocks of a stage",
            _NETWORKS,
            "Number of blocks in every stage. Empty: as in the space.",
        )
    )
    width: float = for_experts(number(1.0, (0.25, 4), "x", "Width", _NETWORKS, "Factor of all channel numbers."))
    kernel: Literal["any", "3", "5", "7"] = for_experts(choice(
        "any", "Kernels", _NETWORKS, {"any": "All of the space", "3": "3 x 3 alone", "5": "5 x 5 alone", "7": "7 x 7 alone"},
        "Kernels of depthwise convolutions.",
    ))  # fmt: skip
    image_side: int | None = for_experts(number(
        None, (4, 512), "pixels", "Image side", _NETWORKS,
        "Side to which images are scaled. Empty: unchanged, if they are square.",
    ))  # fmt: skip
    search: Literal["privacy-aware", "conventional"] = choice(
        "privacy-aware", "Search", _SEARCH,
        {
            "privacy-aware": "Architecture, cut and budget on clean and noisy, as published",
            "conventional": "Architecture alone on clean; noise comes afterwards",
        },
        "Search method; Conventional is the baseline of the publication.",
    )  # fmt: skip
    latency_weight: float = for_experts(
        number(
            0.05,
            (0, 10),
            "",
            "Exponent of latency",
            _SEARCH,
            "Exponent of target over latency in the reward. The publication uses 0 and 0.05.",
        )
    )
    latency_target_ms: float = for_experts(
        number(5.0, (1e-6, 1e6), "ms", "Target of latency", _SEARCH, "Latency target of the reward. Published: 50 ms.")
    )
    epsilon_weight: float = for_experts(
        number(
            0.05,
            (0, 10),
            "",
            "Exponent of the budget",
            _SEARCH,
            "Exponent of target over epsilon in the reward. 0 in the published tables.",
        )
    )
    epsilon_target: float = for_experts(number(
        2.8, (0, 1e6), "", "Target of the budget", _SEARCH,
        "Target of epsilon in the reward. The default is the published value.", above=True,
    ))  # fmt: skip
    samples: int = for_experts(number(
        10, (1, 1000), "networks", "Sampled together", _SEARCH,
        "Number of networks sampled for one update of the probabilities.",
    ))  # fmt: skip
    updates: int = for_experts(
        number(
            4,
            (1, 1000),
            "updates",
            "Updates of an epoch",
            _SEARCH,
            "Number of updates of the probabilities, at most one after each batch.",
        )
    )
    policy_rate: float = number(
        0.03, (1e-6, 1), "", "Rate of the probabilities", _SEARCH,
        "Learning rate of Adam for the probabilities. The publication uses 0.001 with 300 updates in each "
            "of 120 epochs.", advanced=True,
    )  # fmt: skip
    baseline_decay: float = number(
        0.95,
        (0, 0.9999),
        "",
        "Decay of the baseline",
        _SEARCH,
        "Share of the moving mean of rewards that stays.",
        advanced=True,
    )
    designs: int = number(
        16,
        (1, 1000),
        "designs",
        "Designs",
        _SEARCH,
        "Number of designs whose server side is trained at the end. The run reports these designs.",
    )
    warm_up_epochs: int = number(
        10, (1, 1000), "epochs", "Clean training", _TRAINING, "Epochs of training without bounds and noise."
    )
    epochs: int = number(
        20, (1, 1000), "epochs", "Joint training", _TRAINING,
        "Epochs of training on clean and noisy images, during which the search learns.",
    )  # fmt: skip
    server_epochs: int = for_experts(
        number(
            4,
            (0, 1000),
            "epochs",
            "Training of the server's side",
            _TRAINING,
            "Epochs for every reported design. 0: none.",
        )
    )
    clean_share: float = for_experts(number(
        0.5, (0, 1), "of 1", "Weight of clean", _TRAINING,
        "Lambda of eq. A.2, the weight of clean accuracy; noisy accuracy has the rest.",
    ))  # fmt: skip
    batch_size: int = number(32, (2, 4096), "images", "Batch", _TRAINING, "Images per step.", advanced=True)
    learning_rate: float = number(
        3e-3, (1e-6, 1.0), "", "Learning rate", _TRAINING,
        "Learning rate of Adam at the start; it falls during training.", advanced=True,
    )  # fmt: skip
    bandwidth_mbps: float | None = for_experts(
        bandwidth_field(3.0, _DEVICE, "Bandwidth of the upload. Empty: the typical value of the radio description.")
    )
    unit: str = for_experts(unit_field(_DEVICE))
    precision: Precision = precision_field(_DEVICE)
    power_mode: str = power_mode_field(_DEVICE, advanced=True)
    unmeasured: Unmeasured = unmeasured_field(_DEVICE, "datasheet")
    latency_limit_s: float | None = limit(
        "s", 1e4, "Latency, at most", "Largest latency on the device, sending included."
    )
    energy_limit_j: float | None = limit("J", 1e6, "Energy, at most", "Largest energy of the device.")
    memory_limit_mb: float | None = for_experts(limit(
        "MB", 1e9, "Memory of the device, at most", "Weights and activations of the layers on the device.",
        none="the memory of the device, if known",
    ))  # fmt: skip
