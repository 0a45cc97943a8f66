"""Costs of the device up to a cut, by a table of every operation of every block, and the reward of the search.

    latency = stem + blocks up to the cut + clipping and noise + bits x s/bit
    energy  = the same layers + bits x (base power x s/bit + energy per bit)

Clipping and noise are two element-wise operations: the largest element and the division, then the sum with noise that was drawn.
The server and the answer's way back are not counted (section A.6.7: "execution and transmission overheads" of the device).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.memory_capacity import memory_demand
from engines.cost.soc_networks import NetworkPricer
from engines.methods.privynas.space import Block, InvertedResidual, PrivacySpace
from engines.workloads.families.network_builder import Drawing
from engines.workloads.loader import load_network
from engines.workloads.network import Network, ScenarioModel
from hardware.bits import BitWidths

SENT_BYTES = 4  # of an element


@dataclass(frozen=True, eq=False)
class Costs:
    """Seconds and joules in the first axis of every array.

    Attributes:
        stem: shape `2`.
        blocks: time and energy of every operation of each block, shape `2 x operations` each.
        protection: clipping and noise after each block, shape `2 x blocks`.
        sending: time and energy to send the output of each block.
    """

    stem: FloatArray
    blocks: tuple[FloatArray, ...]
    protection: FloatArray
    sending: FloatArray

    def parts(self, operations: Sequence[int], position: int) -> FloatArray:
        """Return stem, blocks on the device, clipping and noise, sending, shape `2 x parts`.

        Cut after the first `position` blocks.
        """
        last = position - 1
        inside = [self.blocks[number][:, operations[number]] for number in range(position)]
        return np.stack([self.stem, *inside, self.protection[:, last], self.sending[:, last]], axis=1)

    def of(self, operations: Sequence[int], position: int) -> tuple[float, float]:
        """Return the seconds and joules of a design."""
        seconds, joules = self.parts(operations, position).sum(axis=1).tolist()
        return seconds, joules


def every_operation(space: PrivacySpace) -> Network:
    """Return all operations of all blocks in sequence, to evaluate them at once; names begin with block and operation."""
    drawing = Drawing((space.image_channels, space.side, space.side))
    drawing.conv("stem", space.stem, 3)
    for number, block in enumerate(space.blocks):
        for place, operation in enumerate(block.operations):
            drawing.shape = (block.channels_in, block.side_in, block.side_in)
            if operation is not None:
                draw_block(drawing, f"{number}.{place}", block, operation)
        drawing.shape = (block.channels, block.side, block.side)
        drawing.pool(f"{number}.norm", 1, 1)
        drawing.add(f"{number}.noise")
    return load_network({
        "schema": "network/1", "slug": "privacy-space", "title": "Operations of the space", "short_title": "Space",
        "summary": "", "source": "ProxylessNAS (mit-han-lab/proxylessnas)", "operations": drawing.rows,
    })  # fmt: skip


def edge_drawing(space: PrivacySpace, operations: Sequence[int], position: int) -> Drawing:
    """Return the stem, and blocks up to the cut by their chosen operations."""
    drawing = Drawing((space.image_channels, space.side, space.side))
    drawing.conv("stem", space.stem, 3)
    for number, (block, place) in enumerate(zip(space.blocks[:position], operations, strict=False), start=1):
        if (operation := block.operations[place]) is not None:
            draw_block(drawing, f"block{number}", block, operation)
    return drawing


def draw_block(drawing: Drawing, name: str, block: Block, operation: InvertedResidual) -> None:
    """Add the rows of a block by one of its operators."""
    wide, given = operation.expansion * block.channels_in, drawing.last
    drawing.conv(f"{name}.expand", wide)
    drawing.conv(f"{name}.depthwise", wide, operation.kernel, stride=block.stride, groups=wide)
    drawing.conv(f"{name}.project", block.channels, act=False)
    if block.keeps_shape:
        drawing.add_to(f"{name}.add", given)


def costs_of(space: PrivacySpace, pricer: NetworkPricer, seconds_per_bit: float, joules_per_bit: float) -> Costs:
    """Return the table.

    Args:
        space: whose blocks.
        pricer: pricer of the device's unit, which was chosen.
        seconds_per_bit: time per bit of the channel.
        joules_per_bit: energy per bit of the radio, with its base power.
    """
    network = every_operation(space)
    priced = pricer.price(network)
    totals: dict[str, FloatArray] = {}
    for start, latency, energy in zip(priced.starts, priced.latency_s, priced.energy_j, strict=True):
        words = network.operations[start].name.split(".")
        part = f"{words[0]}.protection" if words[-1] in ("norm", "noise") else ".".join(words[:2])
        totals[part] = totals.get(part, np.zeros(2)) + np.array([latency, energy])
    bits = np.array([8.0 * SENT_BYTES * block.elements for block in space.blocks])
    return Costs(
        totals["stem"],
        tuple(
            np.stack([totals.get(f"{number}.{place}", np.zeros(2)) for place in range(len(block.operations))], axis=1)
            for number, block in enumerate(space.blocks)
        ),
        np.stack([totals[f"{number}.protection"] for number in range(space.positions)], axis=1),
        np.stack([bits * seconds_per_bit, bits * joules_per_bit]),
    )


def needed_bytes(space: PrivacySpace, operations: Sequence[int], position: int, bits: BitWidths) -> float:
    """Return the bytes of stem and blocks up to the cut, the map and its noise being held at the end."""
    drawing = edge_drawing(space, operations, position)
    drawing.add("noise")
    network = load_network({
        "schema": "network/1", "slug": "edge", "title": "Edge", "short_title": "Edge", "summary": "",
        "source": "of a private split network", "operations": drawing.rows,
    })  # fmt: skip
    return float(memory_demand([ScenarioModel(network, 1)]).total_bytes(bits))


def extreme(space: PrivacySpace, choose: Callable[..., InvertedResidual | None]) -> tuple[int, ...]:
    """Return the operations of least (`min`) or most (`max`) memory, the same at every cut."""

    def size(operation: InvertedResidual | None) -> tuple[int, int]:
        return (0, 0) if operation is None else (operation.expansion, operation.kernel)

    return tuple(block.operations.index(choose(block.operations, key=size)) for block in space.blocks)


def reward(
    accuracy: float, latency_s: float, epsilon: float, targets: tuple[float, float], exponents: tuple[float, float]
) -> float:
    """Return the value of eq. A.6: accuracy (of 1) x (target / latency)^w x (target / epsilon)^w."""
    return float(accuracy * (targets[0] / latency_s) ** exponents[0] * (targets[1] / epsilon) ** exponents[1])
