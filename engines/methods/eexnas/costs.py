"""Needs of a network on a microcontroller without a floating-point unit, by operations: cycles, joules, RAM.

Binary networks add whole numbers in the first layer and compare words of 32 bits behind it.

The publication measured its networks on an EFM32 Giant Gecko and prints neither cycles nor layers. Cycles of an operation are
assumed; pictures of what is shared (energy by layer, what an exit saves) do not depend on them, joules do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engines.methods.eexnas.architecture import Layer, SizedNetwork


@dataclass(frozen=True)
class Microcontroller:
    """The device.

    Attributes:
        clock_hz: clock in Hz of its core.
        power_w: while it computes.
        ram_bytes: RAM of the device.
        cycles_per_mac: cycles of a 32-bit floating-point multiply-accumulate in software; a comparison counts as one.
        cycles_per_add: cycles to add or subtract an integer, as a bit selects.
        cycles_per_word: cycles to compare a word of bits (xnor) and to count and add its ones.
        overhead_bytes: RAM besides the arrays of a network: stack, outputs, inputs of a driver.
    """

    title: str
    clock_hz: float
    power_w: float
    ram_bytes: float
    cycles_per_mac: float
    cycles_per_add: float
    cycles_per_word: float
    overhead_bytes: float

    def layer_s(self, layer: Layer) -> float:
        """Return the seconds of one layer."""
        cycles = {"mac": self.cycles_per_mac, "add": self.cycles_per_add, "word": self.cycles_per_word}
        return layer.work * cycles[layer.operation] / self.clock_hz

    def seconds(self, layers: Iterable[Layer]) -> float:
        """Return the seconds of layers one after the other."""
        return sum(self.layer_s(layer) for layer in layers)

    def ram(self, laid: SizedNetwork) -> float:
        """Return bytes: the arrays of the C code, and the overhead."""
        return laid.static_bytes + self.overhead_bytes


@dataclass(frozen=True)
class Cost:
    """Cost of one window.

    Attributes:
        alone_s: the network without an exit.
        early_s: up to the exit's answer.
        late_s: latency of an input that the exit does not answer.
    """

    alone_s: float
    early_s: float
    late_s: float

    def mean_s(self, leaving: float) -> float:
        """Return the mean time if this share of windows leaves at the exit (section B.6.2: shares x time up to each end)."""
        return leaving * self.early_s + (1 - leaving) * self.late_s


def cost_of(laid: SizedNetwork, device: Microcontroller) -> Cost:
    """Return seconds; joules are those times the power."""
    before, after, leaving = device.seconds(laid.before), device.seconds(laid.after), device.layer_s(laid.exit)
    return Cost(before + after, before + leaving, before + leaving + after)
