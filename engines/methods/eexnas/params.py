"""Parameters of the search."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number

_DATA, _SEARCH, _TRAINING, _DEVICE = "Generated signals", "Search", "Training", "Device"
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


class EexnasParams(EngineParams):
    """How networks are searched, trained and priced."""

    search: Literal["thompson", "improvement", "random"] = choice(
        "thompson", "Search", _SEARCH,
        {
            "thompson": "Scalarised Thompson sampling, as published",
            "improvement": "Noisy expected hypervolume improvement",
            "random": "At random, to compare with",
        },
        "Which network is trained next.",
    )  # fmt: skip
    arithmetic: Literal["float", "binary", "both"] = choice(
        "float", "Networks of", _SEARCH,
        {"float": "32-bit numbers", "binary": "Weights and activations of one bit", "both": "Either: the search chooses"},
        "Binary networks need a fraction of the RAM and of the energy, and are less accurate.",
    )  # fmt: skip
    networks: int = number(
        40, (2, 1000), "networks", "Networks", _SEARCH, "Number of networks to train. The publication uses 200."
    )
    initial: int = for_paper(number(
        10, (2, 200), "networks", "Drawn at first", _SEARCH,
        "Random networks that are trained before models of the objectives choose the next ones.",
    ))  # fmt: skip
    candidates: int = for_paper(number(
        500, (10, 2000), "networks", "Candidates", _SEARCH,
        "Random candidates from which the search chooses each next network.",
    ))  # fmt: skip
    accuracy_weight: float = for_paper(number(
        10.0, (0.01, 1000), "x", "Weight of accuracies", _SEARCH,
        "Weight of the accuracies relative to the energies. Published: 10.",
    ))  # fmt: skip
    search_threshold: float = for_experts(number(
        0.7, (0.5, 0.99), "of 1", "Threshold searched with", _SEARCH,
        "Least confidence of the exit when the search compares networks. Designs use every threshold.",
    ))  # fmt: skip
    generated: Literal["beats", "motions"] = choice(
        "beats", "Signals", _DATA, {"beats": "Heart beats, two classes", "motions": "Motions of a body, eight activities"},
        "Generated signals, if no data set is given.",
    )  # fmt: skip
    windows: int = number(
        600, (40, 20_000), "windows", "Windows", _DATA,
        "Number of generated windows if no data set is given. A fifth is for validation, another fifth for tests.",
    )  # fmt: skip
    samples: int = number(256, (32, 4096), "samples", "Samples", _DATA, "Samples of a time window.")
    epochs: int = number(
        30, (1, 500), "epochs", "Epochs", _TRAINING, "Epochs of each network. The publication uses 30."
    )
    patience: int = number(
        0, (0, 500), "epochs", "Patience", _TRAINING,
        "Epochs without a better accuracy after which a training ends with its best weights. 0: never.", advanced=True,
    )  # fmt: skip
    seeds: int = number(
        1, (1, 20), "seeds", "Seeds", _TRAINING,
        "Trainings of each network on the front, for the spread of its accuracy. The first is the search's.",
    )  # fmt: skip
    batch_size: int = number(32, (2, 4096), "windows", "Batch", _TRAINING, "Windows per step.", advanced=True)
    learning_rate: float = number(
        3e-3, (1e-6, 1.0), "", "Learning rate", _TRAINING, "Learning rate of Adam.", advanced=True
    )
    cycles_per_mac: float = number(
        60.0, (0.1, 10_000), "cycles", "Multiply-accumulate", _DEVICE,
        "Cycles of a 32-bit floating-point multiply-accumulate in software. Assumed; energy and time are proportional to it.",
    )  # fmt: skip
    cycles_per_add: float = number(
        3.0, (0.1, 10_000), "cycles", "Addition", _DEVICE,
        "Cycles of an integer addition, as for a bit of a binary network. Assumed.", advanced=True,
    )  # fmt: skip
    cycles_per_word: float = number(
        20.0, (0.1, 10_000), "cycles", "Word of bits", _DEVICE,
        "Cycles to compare and count 32 bits: a Cortex-M3 has no instruction that counts bits. Assumed.", advanced=True,
    )  # fmt: skip
    active_power_mw: float | None = number(
        None, (0, 1e5), "mW", "Power", _DEVICE,
        "Power while the device computes. Empty: the largest power state of the device.", above=True,
    )  # fmt: skip
    overhead_bytes: int = number(
        1000, (0, 10**6), "B", "RAM for other data", _DEVICE,
        "RAM of stack and drivers. Assumed.", advanced=True,
    )  # fmt: skip
    ram_limit_kib: float | None = limit(
        "KiB", 1e6, "RAM, at most", "Largest RAM of a network.", none="the RAM of the device"
    )
    energy_limit_j: float | None = limit(
        "J", 1e3, "Energy, at most", "Largest mean energy of a time window, early exits included."
    )
