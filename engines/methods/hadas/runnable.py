"""Designs as networks that machines run: the backbone up to each end at which inputs leave, with the exits on the way."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.methods.hadas.exits import exit_operations
from engines.methods.hadas.scoring import ExitDesign
from engines.methods.hadas.setup import Setup
from engines.workloads.parts import Operations, with_branch

MEASURABLE = Measurable(
    "latency_s",
    "The backbone up to each used end, with the exits on the way, in fp32. The latency of a design is "
    "their mean by the share of inputs that leave there. For clocks below the highest, the model's factor "
    "applies.",
)


def runnable_design(setup: Setup, design: ExitDesign) -> Runnable:
    """Return a piece for each end, by the share of inputs that leaves there.

    A machine runs at clocks of its own. So that designs which differ in their clocks alone are not measured alike, which a search
    would take for clocks that cost nothing, shares hold how much slower the model has an end at the clocks of the design.
    """
    backbone = design.backbone
    operations = setup.operations_of(backbone)
    ends = (*backbone.positions.starts[1:], len(operations))
    slower = _slower(setup, design)
    pieces, passed = [], list[tuple[int, Operations]]()
    for row in np.flatnonzero(design.chosen).tolist():
        own = row == backbone.ends - 1
        if not own:
            shape = backbone.positions.shapes[row]
            passed.append((ends[row] - 1, exit_operations(shape, backbone.classes, backbone.exit_channels)))
        part: Operations = tuple(operations[: ends[row]])
        for at, branch in passed:
            part = with_branch(part, at, branch)
        share = float(design.leaving[row])
        if share > 0:
            title = "To the own end" if own else f"To the exit after {backbone.positions.blocks[row]}"
            if slower[row] != 1.0:
                title += f" ({slower[row]:.3g} times as slow at its clocks)"
            pieces.append(RunnablePiece(title, share * float(slower[row]), part))
    return Runnable(tuple(pieces))


def _slower(setup: Setup, design: ExitDesign) -> FloatArray:
    """Return latency up to each end at the clocks of the design over that at the highest, shape `n`."""
    own, highest = (
        design.backbone.costs(prices)[0].prefixes(design.chosen[None], np.array([setting]))
        for prices, setting in ((design.prices, design.setting), (setup.highest, 0))
    )
    return np.asarray((own / highest)[0], dtype=np.float64)
