"""Networks with an exit as machines run them: up to the exit, and whole with the exit on the way."""

from __future__ import annotations

from collections.abc import Mapping

from engines.contract.errors import DecisionError
from engines.contract.runnable import Measurable, Runnable, RunnablePiece
from engines.methods.eexnas.architecture import SizedNetwork
from engines.workloads.families.network_builder import Drawing
from engines.workloads.parts import Operations, Window, drawn_operations, with_branch

_SHARE, _SECOND = "left_early_fraction", "conv2"
MEASURABLE = Measurable(
    "latency_s",
    "The network up to its exit, and the whole network with the exit, in fp32 with random weights. The "
    "time of a design weighs both by the share of windows that the exit answers. Networks of one bit "
    "cannot be run.",
    figures=(_SHARE,),
)


def runnable_network(laid: SizedNetwork, figures: Mapping[str, float]) -> Runnable:
    """Return a piece for each end, by the share of windows that is answered there.

    Args:
        laid: the network.
        figures: figures of the design, its share of windows that leave early.

    Raises:
        DecisionError: weights of one bit, which runtimes have no operators for.
    """
    if laid.architecture.binary:
        raise DecisionError("decision.binary", True, "false", reason="A runtime has no binary operators.")
    drawing, windows = _drawn(laid)
    whole = drawn_operations(drawing.rows, windows)
    at = next(number for number, each in enumerate(whole) if each.name == _SECOND) - 1
    leaving, branch = figures[_SHARE], _exit(laid)
    ends = (
        ("To the exit", leaving, with_branch(whole[: at + 1], at, branch)),
        ("To the last layer", 1.0 - leaving, with_branch(whole, at, branch)),
    )
    return Runnable(tuple(RunnablePiece(*end) for end in ends if end[1] > 0))


def _drawn(laid: SizedNetwork) -> tuple[Drawing, dict[str, Window]]:
    """Return the convolutions with ReLU, maxima, linear layers; and of each maximum its window."""
    channels, samples = laid.layers[0].shape_in
    drawing, windows = Drawing((channels, samples, 1), dimensions=1), dict[str, Window]()
    for number, block in enumerate(laid.architecture.blocks, 1):
        drawing.conv(f"conv{number}", block.filters, block.kernel, stride=block.stride, norm=False)
        if block.pool:
            windows[f"pool{number}"] = (block.pool, 1, block.pool_stride)
            drawing.pool(f"pool{number}", block.pool, block.pool_stride)
    drawing.shape = (drawing.size, 1, 1)
    if laid.architecture.hidden:
        drawing.linear("hidden", laid.architecture.hidden, act=True)
    drawing.linear("output", laid.classes)
    return drawing, windows


def _exit(laid: SizedNetwork) -> Operations:
    """Return the largest value of each filter behind the first block, and a linear layer."""
    filters, samples = laid.exit.shape_in
    drawing = Drawing((filters, samples, 1), dimensions=1)
    drawing.pool_to("exit.largest")
    drawing.linear("exit", laid.classes)
    return drawn_operations(drawing.rows, {"exit.largest": (samples, 1, 1)})
