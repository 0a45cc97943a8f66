"""Bits of weights and activations on arrays that are described for elements of one width.

Assumed, without a source: an array multiplies at its own rate and energy, whatever the bits. Narrow elements lie packed in memory,
on links and in the shared buffer, and are unpacked on their way out of it: beyond, an element takes at least a word of the array.
The energy of an access scales with its bits. The closed forms of the mappings add inputs and weights up before they count accesses
and messages, so on the chip every element of a layer takes the bits of its wider tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.cost.dataflow.inputs import ArrayFigures
from engines.workloads.network import Network
from hardware.bits import BITS_PER_BYTE, BitWidths


@dataclass(frozen=True)
class ElementWidths:
    """Widths of the elements of `n` layers.

    Attributes:
        weight_bytes: bytes of a weight in memory, with its share of scales, shape `n`.
        activation_bytes: bytes of an element of inputs and results, shape `n`.
        words: width of the wider of the two, in words of the array, shape `n`.
    """

    weight_bytes: FloatArray
    activation_bytes: FloatArray
    words: FloatArray

    def take(self, rows: BoolArray) -> ElementWidths:
        """Return the widths of the layers that are true in `rows`, shape `n`."""
        return ElementWidths(self.weight_bytes[rows], self.activation_bytes[rows], self.words[rows])

    def on(self, array: ArrayFigures) -> ArrayFigures:
        """Return the figures of an array for these elements; the same where all of them take a word."""
        if (self.words == 1).all():
            return array
        unpacked, off_chip = np.maximum(self.words, 1.0), array.off_chip_bandwidth_elements_per_cycle
        return replace(
            array,
            bandwidth_elements_per_cycle=array.bandwidth_elements_per_cycle / unpacked,
            level1_access_energy_macs=array.level1_access_energy_macs * unpacked,
            level2_access_energy_macs=array.level2_access_energy_macs * self.words,
            off_chip_bandwidth_elements_per_cycle=None if off_chip is None else off_chip / self.words,
        )


def bits_words(asked: str) -> str:
    """Return the suffix of a cost model's name for requested bits; "" for the device's own bits."""
    return f", elements of {asked}, MACs assumed at the array's own rate" if asked else ""


def element_widths(
    network: Network, names: Sequence[str], own: BitWidths, asked: BitWidths | None = None
) -> ElementWidths:
    """Return the widths of the elements of layers.

    Args:
        network: whose operations may state bits of their own.
        names: names of `n` of its layers or operations.
        own: bits of the array's words.
        asked: requested bits of all layers; None: those that the network states, else the array's.
    """
    usual, stated = asked or own, {}
    if asked is None:
        stated = {
            each.name: usual.with_stated(each.weight_bits, each.activation_bits)
            for each in network.operations
            if each.weight_bits or each.activation_bits
        }
    rows = [stated.get(name, usual) for name in names]
    weights, activations = (
        np.array(each) / BITS_PER_BYTE for each in ([row.weights for row in rows], [row.activations for row in rows])
    )
    return ElementWidths(
        weights, activations, np.maximum(weights, activations) * BITS_PER_BYTE / max(own.weights, own.activations)
    )
