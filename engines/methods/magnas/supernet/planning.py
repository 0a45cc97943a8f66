"""How long steps of a training take, roughly, and how many of them make one report and one checkpoint.

All of it follows from the problem alone: what is reported must not depend on how fast a machine happens to be. Where one is so
slow that this leaves more than some seconds unkept, the run keeps another checkpoint, by the clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.data.documents import ImageData
from engines.methods.magnas.supernet.params import TrainSupernetParams
from engines.supernets.space import Architecture, SupernetSpace
from engines.supernets.workload import network_of

# Assumed: one core of a server of 2020 with torch on the processor. Fitted to nine measured trainings of small supernets (16 to 64
# channels, 4 x 4 to 8 x 8 nodes, batches of 16 to 256), whose steps it tells within 20 %; larger supernets lie beyond them.
# Forward and backward, of a training step:
SECONDS_PER_BLOCK = 3e-3  # calls and small operations, whatever the batch
SECONDS_PER_MAC = 1e-10
_SECONDS_PER_ELEMENT = 9e-8  # of a block's nodes times channels: normalisation, activation, gathering of neighbours
_SECONDS_PER_PAIR = 1.2e-7  # of a block's nodes times nodes: distances and the nearest of them
_FORWARD_SHARE = 0.4  # of the same without the backward pass
_LIVE_SUBNETS, _LIVE_EXAMPLES = 4, 500  # measured for the curves at every report
_CALIBRATION_EXAMPLES = 256  # before a subnet is measured
# How often is reported follows other constants, kept as they were: curves must not change with an estimate.
_REPORT_SECONDS_PER_BLOCK = 2.2e-3
_REPORT_SECONDS_PER_MAC = 6e-10
_REPORT_S = 1.5
_CHECKPOINT_S = 20.0
_LEAST_REPORTS = 4


@dataclass(frozen=True)
class Pace:
    """Estimated seconds of the whole on one core, steps between reports and between checkpoints, and what the estimate counts.

    Attributes:
        steps: steps of the training.
        step_macs: multiply-accumulates forward through all subnets of a step.
    """

    seconds: float
    report_steps: int
    checkpoint_reports: int
    steps: int
    step_macs: float


@dataclass(frozen=True)
class Work:
    """The work of a subnet per image: blocks, multiply-accumulates, elements and pairs of nodes, each summed over the blocks."""

    blocks: float
    macs: float
    elements: float
    pairs: float

    def seconds(self, images: float) -> float:
        """Return the forward and backward through a batch of so many images."""
        each = self.macs * SECONDS_PER_MAC + self.elements * _SECONDS_PER_ELEMENT + self.pairs * _SECONDS_PER_PAIR
        return self.blocks * SECONDS_PER_BLOCK + images * each


def pace_of(space: SupernetSpace, data: ImageData, params: TrainSupernetParams) -> Pace:
    """Return the pace of a training."""
    examples = min(data.examples["train"], params.training_examples or data.examples["train"])
    steps = params.epochs * max(1, examples // params.batch_size)
    largest, smallest = (work_of(space, end("max-relative")) for end in (space.largest, space.smallest))
    share = 1 + params.random_subnets / 2  # a random subnet costs the mean of both ends
    step_s = share * (largest.seconds(params.batch_size) + smallest.seconds(params.batch_size))
    reports = _report_steps(space, params, steps)

    def measured_s(held_out: int) -> float:
        most = min(held_out, params.held_out_examples or held_out) + _CALIBRATION_EXAMPLES
        return _FORWARD_SHARE * (largest.seconds(most) + smallest.seconds(most)) / 2

    live_s = _LIVE_SUBNETS * measured_s(min(_LIVE_EXAMPLES, data.examples["validation"]))
    checkpoints = max(1, min(round(_CHECKPOINT_S / (reports * step_s + live_s)), steps // reports // 4))
    subnets = params.measured_subnets + 2 * len(space.operators)
    after_s = subnets * sum(measured_s(data.examples[split]) for split in ("validation", "test"))
    macs = share * (largest.macs + smallest.macs) * params.batch_size
    return Pace(steps * step_s + steps // reports * live_s + after_s, reports, checkpoints, steps, macs)


def _report_steps(space: SupernetSpace, params: TrainSupernetParams, steps: int) -> int:
    largest = work_of(space, space.largest("max-relative"))
    share = 1 + 0.4 * (params.random_subnets + 1)
    macs = largest.macs * params.batch_size * share
    step_s = largest.blocks * share * _REPORT_SECONDS_PER_BLOCK + macs * _REPORT_SECONDS_PER_MAC
    return max(1, min(round(_REPORT_S / step_s), steps // _LEAST_REPORTS))


def work_of(space: SupernetSpace, architecture: Architecture) -> Work:
    """Return the work of a subnet per image."""
    shapes = [
        (choice.depth, side**2, width)
        for choice, side, width in zip(architecture, space.sides, space.widths, strict=True)
    ]
    return Work(
        blocks=sum(depth for depth, _, _ in shapes),
        macs=size_of(space, architecture)[0],
        elements=sum(depth * nodes * width for depth, nodes, width in shapes),
        pairs=sum(depth * nodes**2 for depth, nodes, _ in shapes),
    )


def size_of(space: SupernetSpace, architecture: Architecture) -> tuple[int, int]:
    """Return the multiply-accumulate operations of one image, and weights."""
    operations = network_of(space, architecture).operations
    return sum(each.macs for each in operations), sum(each.weight_elements for each in operations)
