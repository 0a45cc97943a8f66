"""Time and energy of an image, and of pruning, on the CPU and on the systolic array with its host.

CPU: operations over a share of the peak. Channels that are zero are skipped. Array: cycles of `systolic` over the clock, and on the
host the values that are flattened to windows or get a shared exponent; zero channels that other filters need are computed.
Pruning follows goyal-2023 eq. 4.1: forward, errors and update for every layer that is updated. Bottom-up the layers above share
their forward pass with the inference of the original; in other orders errors pass through layers that are not updated as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.methods.myml import systolic
from engines.methods.myml.choices import Choice
from engines.methods.myml.layers import LayerRemainder
from engines.methods.myml.params import MymlParams
from engines.methods.myml.stages import Stage, stages_of
from hardware.soc.model import Soc

_PRODUCTS = {"forward": systolic.forward, "error": systolic.error, "update": systolic.update}


@dataclass(frozen=True)
class Cost:
    """Seconds and joules."""

    seconds: float
    joules: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.seconds + other.seconds, self.joules + other.joules)

    def times(self, count: float) -> Cost:
        """Return the cost of `count` repetitions."""
        return Cost(count * self.seconds, count * self.joules)


NOTHING = Cost(0.0, 0.0)


@dataclass(frozen=True)
class Device:
    """The device that prunes and runs the network.

    Attributes:
        title: title of the system on a chip.
        cpu_macs_per_s: in 32 bits, of all cores.
        int8_speedup: int8 speedup of the CPU in 8 bits.
        cpu_power_w: CPU power in watts of all cores, busy.
        array_side, array_clock_hz, array_power_w: array side, array clock in Hz and array power in watts of the accelerator.
        host_elements_per_s: values that the CPU prepares for it.
    """

    title: str
    cpu_macs_per_s: float
    int8_speedup: float
    cpu_power_w: float
    array_side: int
    array_clock_hz: float
    array_power_w: float
    host_elements_per_s: float

    def inference(self, layers: Sequence[LayerRemainder], platform: str) -> Cost:
        """Return the cost of one image, in 8 bits."""
        if platform == "cpu":
            return self._cpu(sum(each.macs for each in layers) / self.int8_speedup)
        cycles = sum(systolic.cycles(systolic.forward(each), self.array_side) for each in layers)
        # Windows of 1 x 1 are the input as it lies.
        return self._array(cycles, sum(_windows(each) for each in layers if each.layer.taps > 1))

    def passed(self, layers: Sequence[LayerRemainder], passes: Sequence[str], on_array: bool, images: int) -> Cost:
        """Return the cost of passes ("forward", "error", "update") of images, in 32 bits or in blocks that share exponents."""
        if not on_array:
            return self._cpu(float(images * len(passes) * sum(each.macs for each in layers)))
        cycles, elements = 0, 0
        for each in layers:
            for name in passes:
                rows, length, columns = _PRODUCTS[name](each, images)
                cycles += systolic.cycles((rows, length, columns), self.array_side)
                elements += rows * length + length * columns + rows * columns
        return self._array(cycles, elements)

    def _cpu(self, macs: float) -> Cost:
        seconds = macs / self.cpu_macs_per_s
        return Cost(seconds, self.cpu_power_w * seconds)

    def _array(self, cycles: int, elements: int) -> Cost:
        computing, preparing = cycles / self.array_clock_hz, elements / self.host_elements_per_s
        return Cost(computing + preparing, self.array_power_w * computing + self.cpu_power_w * preparing)


def device_of(soc: Soc, params: MymlParams) -> Device | None:
    """Return the CPU of a system on a chip with the array of the parameters.

    None where clocks, peak or power of its CPU are unknown.
    """
    units = [unit for unit in soc.units.values() if unit.kind == "cpu"]
    known = [unit for unit in units if unit.frequencies_hz and "fp32" in unit.operations_per_cycle and unit.power]
    if not units or len(known) < len(units):
        return None
    peak = sum(unit.count * unit.peak_operations_per_s("fp32") for unit in units)
    power = sum(unit.count * unit.power.watts(1.0) for unit in units if unit.power is not None)
    return Device(
        soc.title, 0.01 * params.cpu_utilisation_percent * peak / 2, params.int8_speedup, power, params.array_side,
        1e6 * params.array_clock_mhz, params.array_power_w, params.host_elements_per_s,
    )  # fmt: skip


def stage_cost(
    stage: Stage,
    choice: Choice,
    before: Sequence[LayerRemainder],
    after: Sequence[LayerRemainder],
    device: Device,
    images: int,
) -> Cost:
    """Return the cost of one epoch.

    Args:
        stage: groups to update.
        choice: order, batch and precision.
        before: layers that were not pruned yet, as they are.
        after: part of each layer that pruning keeps.
        device: device that prunes.
        images: images of the epoch.
    """
    on_array = choice.platform == "accelerator" and choice.form is not None
    updated = [kept for kept in after if kept.layer.group in stage.updated]
    others = [kept for kept in before if kept.layer.group not in stage.updated]
    passes = ("forward",) if choice.order == "bottom-up" else ("forward", "error")
    total = NOTHING
    for size, count in ((choice.batch, images // choice.batch), (images % choice.batch, 1)):
        if size and count:
            batch = device.passed(updated, ("forward", "error", "update"), on_array, size)
            total += (batch + device.passed(others, passes, on_array, size)).times(count)
    return total


def pruning_cost(
    choice: Choice,
    before: Sequence[LayerRemainder],
    after: Sequence[LayerRemainder],
    device: Device,
    images: int,
    extra_epochs: int,
) -> Cost:
    """Return the cost of all stages; nothing for the original."""
    if choice.order == "original":
        return NOTHING
    total = NOTHING
    for stage in stages_of(choice, extra_epochs):
        total += stage_cost(stage, choice, before, after, device, images)
    return total


def _windows(kept: LayerRemainder) -> int:
    rows, length, _ = systolic.forward(kept)
    return rows * length
