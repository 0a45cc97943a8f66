"""What a training will take."""

from __future__ import annotations

from math import ceil

from engines.methods.mapformer.training.params import TrainEstimatorParams

# Processor time on one core, fitted to trainings of the published transformer: mean sequences have 11 tokens.
_SECONDS_PER_MAPPING = 9.5e-4
_SECONDS_PER_SIMULATED = 1.7e-4
_SECONDS_PER_MIX = 5e-3
_START_S = 8.0  # torch, and the costs of 80 networks
_REPORT_S = 15.0


def seconds_of(params: TrainEstimatorParams) -> float:
    """Processor time of all of it."""
    held = 2 * params.held_out_mixes
    mixes = params.mixes + 2 * held
    simulated = mixes * _SECONDS_PER_MIX + _SECONDS_PER_SIMULATED * params.mixes * params.mappings
    read = held * params.held_out_mappings * _SECONDS_PER_MAPPING / 3
    return _START_S + simulated + read + params.epochs * params.mixes * params.mappings * seconds_per_mapping(params)


def seconds_per_mapping(params: TrainEstimatorParams) -> float:
    """Processor time that training takes of each mapping."""
    size = params.layers * (params.width / 64) ** 2 / 4
    return _SECONDS_PER_MAPPING * (0.15 + 0.85 * size) * params.most_networks / 10


def report_steps(params: TrainEstimatorParams) -> int:
    """Steps between two reports, each of which is a checkpoint: some sixty of a training, and one at least every 15 s of work."""
    steps = params.epochs * ceil(params.mixes * params.mappings / params.batch_size)
    most = int(_REPORT_S / (params.batch_size * seconds_per_mapping(params)))
    return max(1, min(steps // 60, most))
