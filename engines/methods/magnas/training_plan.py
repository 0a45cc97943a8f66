"""How long steps of a training take, roughly, and how many of them make one report and one checkpoint.

All of it follows from the problem alone: reports and checkpoints must not depend on how fast a machine happens to be.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.data.documents import ImageData
from engines.methods.magnas.space import Architecture, SupernetSpace
from engines.methods.magnas.training_params import TrainSupernetParams
from engines.methods.magnas.workload import network_of

# One core of a server of 2020: forward and backward through a block without its arithmetic, and per multiply-accumulate.
_SECONDS_PER_BLOCK = 2.2e-3
_SECONDS_PER_MAC = 6e-10
_REPORT_S = 1.5
_CHECKPOINT_S = 20.0
_LEAST_REPORTS = 4


@dataclass(frozen=True)
class Pace:
    """Estimated seconds of the whole, and steps between reports and between checkpoints."""

    seconds: float
    report_steps: int
    checkpoint_reports: int


def pace_of(space: SupernetSpace, data: ImageData, params: TrainSupernetParams) -> Pace:
    """The pace of a training."""
    examples = min(data.examples["train"], params.training_examples or data.examples["train"])
    steps = params.epochs * max(1, examples // params.batch_size)
    largest, smallest = space.largest("max-relative"), space.smallest("max-relative")
    share = 1 + 0.4 * (params.random_subnets + 1)
    macs = size_of(space, largest)[0] * params.batch_size * share
    blocks = sum(choice.depth for choice in largest) * share
    step_s = blocks * _SECONDS_PER_BLOCK + macs * _SECONDS_PER_MAC
    reports = max(1, min(round(_REPORT_S / step_s), steps // _LEAST_REPORTS))
    checkpoints = max(1, min(round(_CHECKPOINT_S / (reports * step_s)), steps // reports // 4))
    held_out = data.examples["validation"] + data.examples["test"] + 512
    each = (size_of(space, largest)[0] + size_of(space, smallest)[0]) / 2 * held_out * _SECONDS_PER_MAC / 3
    return Pace(steps * step_s + params.measured_subnets * (each + 0.05), reports, checkpoints)


def size_of(space: SupernetSpace, architecture: Architecture) -> tuple[int, int]:
    """Multiply-accumulate operations of one image, and weights."""
    operations = network_of(space, architecture).operations
    return sum(each.macs for each in operations), sum(each.weight_elements for each in operations)
