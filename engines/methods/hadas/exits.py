"""Early exits and their possible positions.

The exit of the authors' repository: a 3x3 convolution to 224 channels without padding or bias, batch normalisation, LeakyReLU, the
mean over the map, a linear classifier, and a linear confidence. A map with a side below 3 has a kernel of that side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

from engines.contract.errors import ProblemError
from engines.cost.soc.operations import OperationTable, operation_table
from engines.mapping.problem.blocks import blocks_of
from engines.workloads.families.network_builder import Drawing, Shape
from engines.workloads.loader import load_network
from engines.workloads.network import COMPUTE_KINDS, Network, Operation
from hardware.errors import Remedy

EXIT_CHANNELS, EXIT_KERNEL = 224, 3
_GRAPH_PART = re.compile(r"(?:grapher|ffn)(\d+)")


@dataclass(frozen=True)
class Positions:
    """Candidate exits of a network of `b` blocks.

    Attributes:
        blocks: names of those after which an exit may stand, `n - 1` of them.
        numbers: numbers of these blocks, from 1 on.
        count: number of counted blocks.
        starts: first operation of the part before each end; the last part leads to the network's own end. `n` of them.
        shapes: channels, height and width of the map that each exit reads, `n - 1` of them.
    """

    blocks: tuple[str, ...]
    numbers: tuple[int, ...]
    count: int
    starts: tuple[int, ...]
    shapes: tuple[Shape, ...]


def attentive_positions(network: Network, table: OperationTable, first: int) -> Positions:
    """Return exits after each MBConv layer from the `first` on; the last layer's end is the backbone's own."""
    names, starts = table.blocks(2)
    layers = [at for at, name in enumerate(names) if name.startswith("stage")]
    after = {number: starts[at + 1] for number, at in enumerate(layers, start=1)}
    titles = {number: names[at] for number, at in enumerate(layers, start=1)}
    return _positions(network, titles, after, first)


def block_positions(network: Network, table: OperationTable, first: int) -> Positions:
    """Return exits after each block of any network from the `first` to the last but one, where the rest reads this result alone.

    Raises:
        ProblemError: no block is left after which an exit could stand.
    """
    names, starts = blocks_of(table, "blocks")
    ends = (*starts[1:], len(table))
    joined = joined_ends(network.operations)
    titles = {number: name for number, name in enumerate(names, start=1) if ends[number - 1] in joined}
    return _positions(network, titles, {number: ends[number - 1] for number in titles}, first)


def joined_ends(operations: Sequence[Operation]) -> frozenset[int]:
    """Return the numbers of operations before which only the result of the operation just before them is still read.

    Within a module of several branches, next to another branch of the network's input, or while a shortcut passes by, an exit would
    see a part of the features alone.
    """
    ends, last = set[int](), [0] * len(operations)
    latest = 0  # reader of the input, or of any result before the one just before the end
    for operation in operations:
        for source in operation.sources:
            last[source] = operation.index
        if operation.reads_input:
            latest = operation.index
    for end in range(1, len(operations) + 1):
        if latest < end:
            ends.add(end)
        latest = max(latest, last[end - 1])
    return frozenset(ends)


def graph_positions(network: Network, table: OperationTable, first: int) -> Positions:
    """Return exits after each vision graph block (Grapher with feed-forward part) of a supernet's subnet, from the `first` on.

    Raises:
        ProblemError: no block is left after which an exit could stand.
    """
    names, starts = table.blocks(1)
    after, titles = dict[int, int](), dict[int, str]()
    for at, name in enumerate(names):
        if found := _GRAPH_PART.fullmatch(name):
            number = int(found[1])
            after[number], titles[number] = starts[at + 1], f"block{number}"  # the head follows the last
    return _positions(network, titles, after, first)


def _positions(network: Network, titles: dict[int, str], after: dict[int, int], first: int) -> Positions:
    last = max(titles)
    numbers = tuple(number for number in sorted(titles) if first <= number < last)
    if not numbers:
        reason = f"{network.short_title} has {last} blocks. The network ends after the last one."
        ways = [Remedy.to_set("params.first_exit", 1)] if last > 1 and first > 1 else []
        raise ProblemError("params.first_exit", first, f"below {last}", reason=reason, remedies=ways)
    return Positions(
        tuple(titles[number] for number in numbers),
        numbers,
        last,
        (0, *(after[number] for number in numbers)),
        tuple(map_after(network.operations, after[number]) for number in numbers),
    )


def map_after(operations: Sequence[Operation], end: int) -> Shape:
    """Return channels, height and width of what the operation before number `end` gives out.

    Documents tell the map of convolutions and products alone. What follows the last of them keeps its map (additions), its
    channels (pooling) or its height and width (joined branches), as its elements say.
    """
    elements = operations[end - 1].output_elements
    for operation in reversed(operations[:end]):
        if operation.kind in COMPUTE_KINDS:
            height, width = max(1, operation.oy), max(1, operation.ox)
            channels = max(1, operation.output_elements // (height * width))
            if elements == channels * height * width:
                return channels, height, width
            side = isqrt(elements // channels)
            if side < height and elements == channels * side**2:
                return channels, side, side
            if elements % (height * width) == 0:
                return elements // (height * width), height, width
    return max(1, elements), 1, 1


def exit_table(shape: Shape, classes: int, exit_channels: int = EXIT_CHANNELS) -> OperationTable:
    """Return the operations of an exit that reads a feature map."""
    return operation_table(exit_operations(shape, classes, exit_channels))


def exit_operations(shape: Shape, classes: int, exit_channels: int = EXIT_CHANNELS) -> tuple[Operation, ...]:
    """Return the operations of an exit that reads a map."""
    _, height, width = shape
    drawing = Drawing(shape)
    kernel = min(EXIT_KERNEL, height, width)
    drawing.conv("conv", exit_channels, kernel, pad=0)
    drawing.pool_to("mean")
    drawing.linear("classifier", classes)
    drawing.shape = (exit_channels, 1, 1)
    drawing.linear("confidence", 1)
    content: dict[str, Any] = {
        "schema": "network/1", "slug": "exit", "title": "Exit", "short_title": "Exit", "summary": "An exit.",
        "source": "HalimaBouzidi/HADAS at 0c8b20b", "operations": drawing.rows,
    }  # fmt: skip
    return load_network(content).operations
