"""Designs as networks that machines run: the backbone up to each end at which inputs leave, with the exits on the way."""

from __future__ import annotations

import numpy as np

from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.methods.hadas.exits import exit_operations
from engines.methods.hadas.scoring import Decided
from engines.methods.hadas.setup import Setup
from engines.workloads.parts import Operations, with_branch

MEASURABLE = Measurable(
    "latency_s",
    "For each end at which inputs leave, the backbone up to it with the exits on the way, in fp32; the latency of a design is "
    "their mean by the share of inputs that leaves there.",
)


def runnable_design(setup: Setup, read: Decided) -> Runnable:
    """A piece for each end, by the share of inputs that leaves there."""
    backbone = read.backbone
    operations = setup.operations_of(backbone)
    ends = (*backbone.positions.starts[1:], len(operations))
    pieces, passed = [], list[tuple[int, Operations]]()
    for row in np.flatnonzero(read.chosen).tolist():
        own = row == backbone.ends - 1
        if not own:
            shape = backbone.positions.shapes[row]
            passed.append((ends[row] - 1, exit_operations(shape, backbone.classes, backbone.exit_channels)))
        part: Operations = tuple(operations[: ends[row]])
        for at, branch in passed:
            part = with_branch(part, at, branch)
        share = float(read.leaving[row])
        if share > 0:
            title = "To the own end" if own else f"To the exit after {backbone.positions.blocks[row]}"
            pieces.append(RunnablePiece(title, share, part))
    return Runnable(tuple(pieces))
