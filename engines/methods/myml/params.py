"""Parameters of user-driven pruning."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, text
from engines.search.search_fields import evaluations_field, population_field

_USER, _NETWORK, _CHOICES = "User", "Original network", "Choices"
_PRUNING, _SEARCH, _SYSTEM, _DEVICE = "Pruning", "Search", "System over time", "Device"


class MymlParams(EngineParams):
    """The user, the original network, what pruning may choose, the system over time and the device."""

    user_classes: str = text(
        "", "Classes of the user", _USER,
        "Names of classes, separated by commas, with frequencies if they differ: 3: 0.4, 5: 0.6. Empty: drawn by the seed.",
    )  # fmt: skip
    user_class_count: int = number(
        5, (2, 100), "classes", "Classes drawn", _USER,
        "Number of classes that are drawn if none are named. Published: 5.",
    )  # fmt: skip
    later_classes: str = text(
        "",
        "Classes after the drift",
        _USER,
        "The user's classes after the drift. Empty: drawn by the seed from the others.",
    )
    learning_window: int = for_experts(number(
        50, (1, 10_000), "images", "Learning window", _USER,
        "Number of images in which the classes of the user are counted.",
    ))  # fmt: skip
    learning_share_percent: float = for_experts(number(
        15.0, (0, 100), "%", "Share of a user class", _USER, "Share of the time window that a class must exceed to count as "
        "the user's.",
        above=True,
    ))  # fmt: skip
    width: int = number(
        12,
        (2, 256),
        "filters",
        "Filters",
        _NETWORK,
        "Filters of the first block; the others have two and four times as many.",
    )
    convolutions: int = for_experts(number(
        2, (1, 6), "layers", "Convolutions of a block", _NETWORK,
        "Convolutions per block; the network has four blocks.",
    ))  # fmt: skip
    epochs: int = number(15, (1, 1000), "epochs", "Epochs", _NETWORK, "Training epochs of the original before pruning.")
    original_learning_rate: float = number(
        3e-3,
        (1e-6, 1.0),
        "",
        "Learning rate",
        _NETWORK,
        "Learning rate of Adam, falling to 0 along a cosine.",
        advanced=True,
    )
    original_batch: int = number(32, (1, 4096), "images", "Batch", _NETWORK, "Images per step.", advanced=True)
    kept_back_percent: float = number(
        50.0, (5, 95), "%", "Kept for the user", _NETWORK,
        "Share of the training images that the original network never sees. The user's images come from them.", advanced=True,
    )  # fmt: skip
    granularities: str = for_experts(text(
        "symmetric asymmetric", "Granularities", _CHOICES,
        "symmetric: the same channels of all filters; asymmetric: channels of each filter by itself.",
    ))  # fmt: skip
    rates_percent: str = for_experts(
        text(
            "0 30 50 65 78 90", "Pruning rates", _CHOICES, "Per cent of the channels of a block that may be taken away."
        )
    )
    learning_rates: str = for_experts(
        text("0.001 0.003", "Learning rates", _CHOICES, "Learning rates of Adam for the first two pruned blocks.")
    )
    reductions: str = for_experts(
        text("1 10", "Reductions", _CHOICES, "Divisors of the learning rate for the last two pruned blocks.")
    )
    batches: str = for_experts(text("8 32", "Batches", _CHOICES, "Numbers of images per update."))
    orders: str = for_experts(text(
        "bottom-up top-down at-once user-agnostic", "Orders", _CHOICES,
        "bottom-up: from the output on; top-down: from the input on; user-agnostic: at once and for all classes.",
    ))  # fmt: skip
    precisions: str = for_experts(text(
        "fp32 bfp64x7", "Precisions", _CHOICES,
        "Precision of both passes: fp32, or block floating point such as bfp64x7. There 64 values share an "
            "exponent, with 7 bits and a sign each.",
    ))  # fmt: skip
    platforms: str = text("cpu accelerator", "Platforms", _CHOICES, "Platforms that may run the pruned network.")
    images_per_class: int = number(
        40, (1, 10_000), "images", "Images of a class and block", _PRUNING,
        "Images per class that each pruned block sees. Published: 40.",
    )  # fmt: skip
    extra_epochs: int = for_experts(
        number(1, (0, 20), "epochs", "More epochs", _PRUNING, "Further training epochs after the last pruned block.")
    )
    criterion: Literal["l2", "l1"] = for_experts(choice(
        "l2", "Criterion", _PRUNING,
        {"l2": "L2 norm, as published", "l1": "L1 norm"},
        "Norm by which channels are ranked; pruning removes those with the smallest.",
    ))  # fmt: skip
    objectives: Literal["use", "all"] = choice(
        "use", "Objectives", _SEARCH,
        {"use": "Accuracy, size, latency, energy", "all": "The four, and time and energy of pruning"},
        "Objectives of the front.",
    )  # fmt: skip
    evaluations: int = evaluations_field(24, (2, 5000), "networks", "Networks that are pruned, each by itself.")
    population: int = population_field(8, (2, 200), "networks", "Networks of a generation of NSGA-II.")
    stream_images: int = for_experts(
        number(
            3200,
            (10, 200_000),
            "images",
            "Images of the user",
            _SYSTEM,
            "Number of images that the system over time sees.",
        )
    )
    drift_at: int = for_experts(number(
        1500, (0, 200_000), "images", "Drift begins", _SYSTEM,
        "Number of the image at which the drift begins. Every ten images, another fifth of the images is of the later classes.",
    ))  # fmt: skip
    image_interval_s: float = for_experts(
        number(0.4, (0, 1e5), "s", "Time between images", _SYSTEM, "Least time between two images.")
    )
    tracker_window: int = for_experts(number(
        50, (1, 10_000), "images", "Window of the tracker", _SYSTEM,
        "Number of latest images that the tracker considers.",
    ))  # fmt: skip
    divergence_percent: float = for_paper(number(
        70.0, (0, 100), "%", "Divergence", _SYSTEM,
        "Share of outside images above which the original network returns.",
    ))  # fmt: skip
    probability_threshold: float = for_paper(number(
        0.6, (0, 1), "of 1", "Probability below", _SYSTEM, "Outside: the largest probability is below this value, and ..."
    ))  # fmt: skip
    entropy_threshold_bits: float = for_paper(
        number(
            1.5,
            (0, 20),
            "bits",
            "Entropy above",
            _SYSTEM,
            "... the entropy of the user's classes is above this value.",
        )
    )
    cpu_utilisation_percent: float = for_experts(
        number(20.0, (0, 100), "%", "Utilisation", _DEVICE, "Share of the peak of all CPU cores. Assumed.", above=True)
    )
    int8_speedup: float = number(
        4.0, (1, 16), "x", "8 bits against 32", _DEVICE, "Operations per second of the CPU: vectors hold four times more. Assumed.",
        advanced=True,
    )  # fmt: skip
    array_side: int = for_experts(
        number(64, (2, 1024), "PEs", "Systolic array", _DEVICE, "Number of rows and of columns of the accelerator.")
    )
    array_clock_mhz: float = for_experts(
        number(500.0, (1, 10_000), "MHz", "Its clock", _DEVICE, "Clock of the array, as published.")
    )
    array_power_w: float = for_experts(number(
        2.0, (0, 1000), "W", "Its power", _DEVICE,
        "Power of the array while it computes; 2 W is that of the Edge TPU (coral.ai).",
    ))  # fmt: skip
    host_elements_per_s: float = number(
        2e9, (1e3, 1e15), "1/s", "Values prepared per second", _DEVICE,
        "Values per second that the CPU prepares for the array (flattened windows, shared exponents). Assumed.", advanced=True,
    )  # fmt: skip
    accuracy_drop_limit_percent: float | None = limit(
        "%", 100, "Loss of accuracy, at most",
        "Largest loss below the original on the user's classes, in percentage points. Published: 1.",
    )  # fmt: skip
    size_limit_kb: float | None = limit("kB", 1e9, "Size, at most", "Size of the weights and of their positions.")
    pruning_limit_s: float | None = limit("s", 1e9, "Pruning time, at most", "Pruning time of all images.")
