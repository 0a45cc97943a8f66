"""Convolutional networks over signals of sensors, as points of the space of EExNAS (odema-2024 section B.4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.workloads.families.network_builder import Drawing, Row


@dataclass(frozen=True)
class SignalBlock:
    """One block: filters, their kernel and stride, and the pooling after them (kernel 0: none)."""

    filters: int
    kernel: int
    stride: int = 1
    pool_kernel: int = 0
    pool_stride: int = 1


def signal_network(
    samples: int, sensors: int, blocks: Sequence[SignalBlock], classes: int, hidden: int = 0
) -> list[Row]:
    """Return the blocks of 1-D convolutions, then one linear layer, or two with `hidden` features between them.

    Args:
        samples: samples of each sensor in one segment.
        sensors: channels of the input.
        blocks: blocks in order.
        classes: distinguished.
        hidden: features of the optional fully connected layer; 0: none.
    """
    drawing = Drawing((sensors, samples, 1), dimensions=1)
    for index, block in enumerate(blocks, start=1):
        drawing.conv(f"conv{index}", block.filters, block.kernel, stride=block.stride)
        if block.pool_kernel:
            drawing.pool(f"pool{index}", block.pool_kernel, block.pool_stride)
    drawing.shape = (drawing.size, 1, 1)
    if hidden:
        drawing.linear("fc", hidden, act=True)
    drawing.linear("classifier", classes)
    return drawing.rows
