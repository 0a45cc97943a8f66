"""Parameters of the training of an estimator."""

from __future__ import annotations

from math import ceil

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import for_experts, for_paper, number
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field

# Processor time on one core, fitted to trainings of the published transformer: mean sequences have 11 tokens.
_SECONDS_PER_MAPPING = 9.5e-4
_SECONDS_PER_SIMULATED = 1.7e-4
_SECONDS_PER_MIX = 5e-3
_START_S = 8.0  # torch, and the costs of 80 networks
_REPORT_S = 15.0


class TrainEstimatorParams(EngineParams):
    """Parameters of the simulated samples and the training."""

    mixes: int = number(
        2000, (8, 20_000), "mixes", "Mixes", "Simulated mixes", "Number of random mixes for training. Published: 2,000."
    )
    mappings: int = for_experts(number(
        32, (1, 1000), "mappings", "Mappings of a mix", "Simulated mixes",
        "Mappings of each mix. A third is random, a third uses few units, a third is the best of both.",
    ))  # fmt: skip
    most_networks: int = number(
        10, (1, 10), "networks", "Networks of a mix, at most", "Simulated mixes",
        "Largest number of networks in a mix.",
    )  # fmt: skip
    most_layers: int = number(
        4000, (1, 20_000), "layers", "Layers of a mix, at most", "Simulated mixes",
        "Largest number of layers in a mix. The estimator refuses mixes with more layers.", advanced=True,
    )  # fmt: skip
    segments: int = for_experts(number(
        3, (1, 6), "segments", "Segments of a network, at most", "Simulated mixes",
        "Largest number of segments of a network. The estimator refuses mappings with more.",
    ))  # fmt: skip
    held_out_mixes: int = for_experts(number(
        500, (4, 5000), "mixes", "Held-out mixes", "Measurement",
        "Number of held-out mixes of the same networks for the evaluation.",
    ))  # fmt: skip
    held_out_mappings: int = number(
        10,
        (1, 100),
        "mappings",
        "Mappings of a held-out mix",
        "Measurement",
        "Number of mappings of each held-out mix.",
        advanced=True,
    )
    unseen_networks: int = for_experts(number(
        12, (0, 40), "networks", "Networks kept from training", "Measurement",
        "Networks drawn by the seed and held out. The same number of mixes measures the estimator on these "
            "unseen networks. 0: none.",
    ))  # fmt: skip
    epochs: int = number(12, (1, 1000), "epochs", "Epochs", "Training", "Passes over the mappings; the paper has 100.")
    batch_size: int = for_experts(number(256, (4, 4096), "mappings", "Batch", "Training", "Mappings of a step."))
    learning_rate: float = for_experts(number(
        0.001, (1e-6, 0.1), "", "Learning rate", "Training",
        "Highest learning rate; it falls along a cosine. Published: 0.0001.",
    ))  # fmt: skip
    weight_decay: float = for_paper(number(0.01, (0.0, 1.0), "", "Weight decay", "Training", "Weight decay of AdamW."))
    layers: int = for_paper(number(
        4, (1, 12), "layers", "Layers of the encoder", "Transformer",
        "Number of encoder layers. Published (Table 2): 4.",
    ))  # fmt: skip
    width: int = for_paper(number(
        64, (8, 256), "", "Width", "Transformer", "A multiple of 8, the number of heads; inner layers have four times that. "
        "Table 2 has 64.",
    ))  # fmt: skip
    unmeasured: Unmeasured = for_experts(unmeasured_field("Device", "datasheet"))


def seconds_of(params: TrainEstimatorParams) -> float:
    """Return the processor time of the run in s."""
    held = 2 * params.held_out_mixes
    mixes = params.mixes + 2 * held
    simulated = mixes * _SECONDS_PER_MIX + _SECONDS_PER_SIMULATED * params.mixes * params.mappings
    read = held * params.held_out_mappings * _SECONDS_PER_MAPPING / 3
    return _START_S + simulated + read + params.epochs * params.mixes * params.mappings * seconds_per_mapping(params)


def seconds_per_mapping(params: TrainEstimatorParams) -> float:
    """Return the processor time that training takes of each mapping."""
    size = params.layers * (params.width / 64) ** 2 / 4
    return _SECONDS_PER_MAPPING * (0.15 + 0.85 * size) * params.most_networks / 10


def report_steps(params: TrainEstimatorParams) -> int:
    """Return the steps between two reports, each of which is a checkpoint: about sixty per training, and one per 15 s of work."""
    steps = params.epochs * ceil(params.mixes * params.mappings / params.batch_size)
    most = int(_REPORT_S / (params.batch_size * seconds_per_mapping(params)))
    return max(1, min(steps // 60, most))
