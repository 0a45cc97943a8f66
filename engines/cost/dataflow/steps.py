"""The common parts of all mappings: windows along an axis, tiles of a loop, and the sum over steps.

Arrays may have any shapes that broadcast together. Counts are whole numbers held in float64.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.cost.dataflow.inputs import ArrayFigures, LayerShapes


@dataclass(frozen=True)
class Axis:
    """Windows of a kernel along one axis of the input.

    Attributes:
        size, kernel, stride: extents in elements.
        outputs: windows that fit.
        rest: elements behind the last of them, fewer than `stride`.
    """

    size: FloatArray
    kernel: FloatArray
    stride: FloatArray
    outputs: FloatArray
    rest: FloatArray

    @classmethod
    def of(cls, size: FloatArray, kernel: FloatArray, stride: FloatArray) -> Axis:
        """Return the axis of `size` elements under a kernel that moves by `stride`; arguments of the same shape."""
        steps = np.floor((size - kernel) / stride)
        return cls(size, kernel, stride, steps + 1, size - kernel - steps * stride)

    @cached_property
    def fresh(self) -> FloatArray:
        """Elements of a window that its predecessor does not contain, of the same shape as the axis."""
        return np.minimum(self.kernel, self.stride)

    @cached_property
    def moves(self) -> BoolArray:
        """Whether there is anything beyond the first window, of the same shape as the axis."""
        return self.size > self.kernel

    @cached_property
    def cut(self) -> FloatArray:
        """Elements that a window over the rest still covers; the kernel where there is no rest. Of the same shape as the axis."""
        return np.where(self.rest > 0, np.maximum(self.kernel + self.rest - self.stride, 0), self.kernel)

    @cached_property
    def cut_outputs(self) -> FloatArray:
        """Outputs that MAESTRO counts for a window over the rest, 0 or fewer; 1 where there is no rest. Shape of the axis."""
        return np.where(self.rest > 0, self.rest - self.stride + 1, 1)

    @cached_property
    def surplus(self) -> FloatArray:
        """Return what the window over the rest adds to MAESTRO's count of outputs: 0 or less. Of the same shape as the axis."""
        return np.where(self.rest > 0, self.rest - self.stride + 1, 0)

    @cached_property
    def whole_surplus(self) -> FloatArray:
        """`surplus` on a mapping of one level: a window that would begin behind the end is counted over the whole axis.

        Of the same shape as the axis.

        Where a mapping has two levels, MAESTRO ends with an error there.
        """
        beyond = (self.rest > 0) & (self.kernel + self.rest < self.stride)
        return np.where(beyond, self.size - self.kernel + 1, self.surplus)


@dataclass(frozen=True)
class Loops:
    """One batch of layers, ready for the mappings.

    Attributes:
        k, c: output and input channels; `k` is 1 for depthwise layers.
        area: elements of a kernel.
        rows, columns: the axes.
        depthwise: mask of layers that filter each channel separately.
        strided: whether any layer has a stride above 2 (only then can cut windows count in MAESTRO).
    """

    k: FloatArray
    c: FloatArray
    area: FloatArray
    rows: Axis
    columns: Axis
    depthwise: BoolArray
    strided: bool

    @classmethod
    def of(cls, shapes: LayerShapes, extra_axes: int) -> Loops:
        """Return the loops of `shapes`, with `extra_axes` axes of length 1 behind the first."""
        shape = (len(shapes),) + (1,) * extra_axes

        def real(values: IntArray) -> FloatArray:
            return values.astype(np.float64).reshape(shape)

        depthwise = shapes.depthwise.reshape(shape)
        r, s, stride = real(shapes.r), real(shapes.s), real(shapes.stride)
        return cls(
            k=np.where(depthwise, 1.0, real(shapes.k)),
            c=real(shapes.c),
            area=r * s,
            rows=Axis.of(real(shapes.y), r, stride),
            columns=Axis.of(real(shapes.x), s, stride),
            depthwise=depthwise,
            strided=bool((shapes.stride > 2).any()),
        )


@dataclass(frozen=True)
class Tile:
    """Tiles of equal size: `size` units are active in each of `count`, `first` is 1 where the very first is among them."""

    size: FloatArray
    count: FloatArray
    first: FloatArray


def tiles(total: FloatArray, units: FloatArray) -> tuple[Tile, Tile]:
    """Return the full tiles of `total` over `units`, and the shorter last one, whose count may be 0; shapes broadcast."""
    size = np.minimum(total, units)
    full = np.floor(total / size)
    rest = total - full * size
    return Tile(size, full, np.ones_like(total)), Tile(rest, (rest > 0).astype(np.float64), np.zeros_like(total))


def written(active: FloatArray, total: FloatArray, units: FloatArray) -> FloatArray:
    """Return the outputs that `active` units write per step: MAESTRO leaves one out where `total` does not fill the array.

    Arguments have shapes that broadcast together, and so has the result.
    """
    return active - ((total < units) & (active > 1))


class StepSum:
    """Adds up steps of one kind after another.

    A step takes max(compute, ingress, egress) cycles because the buffers are doubled; the very first takes compute +
    ingress. A message of v elements takes h + ceil(v / bandwidth) - 1 cycles.

    Attributes:
        cycles: run time so far.
        fetched: elements read from the shared buffer.
        output_writes: elements written to it.
        partial_sums: updates of partial sums in the buffers of the array.
        operations: multiply-accumulates that count for energy.
        level1_need, level2_need: elements that the doubled buffers hold.
    """

    def __init__(self, array: ArrayFigures, bandwidth: FloatArray, shape: tuple[int, ...]) -> None:
        self._bandwidth, self._head = bandwidth, np.asarray(array.hop_latency_cycles) - 1.0
        self._off_chip = array.off_chip_bandwidth_elements_per_cycle
        self._shortest: FloatArray | None = None
        self.cycles = np.zeros(shape)
        self.fetched: FloatArray = np.zeros(1)
        self.output_writes: FloatArray = np.zeros(1)
        self.partial_sums: FloatArray = np.zeros(1)
        self.operations: FloatArray = np.zeros(1)
        self.level1_need: FloatArray = np.zeros(1)
        self.level2_need: FloatArray = np.zeros(1)

    def message(self, elements: FloatArray) -> FloatArray:
        """Return the cycles of one message of `elements`, at least 1; shape of `elements` and the bandwidth, broadcast."""
        cycles = np.ceil(elements / self._bandwidth)
        cycles += self._head
        return cycles

    def busy(self, compute: FloatArray, elements: FloatArray) -> FloatArray:
        """Return max(compute, ingress of `elements`) in cycles; arguments have shapes that broadcast together."""
        return np.maximum(compute, self.message(elements))

    def first(self, compute: FloatArray, inputs: FloatArray, weights: FloatArray, outputs: FloatArray) -> None:
        """Add the first step, which also sets the demand on the shared buffer and applies MAESTRO's off-chip rule.

        Arguments are cycles of computing and elements of each tensor, with shapes that broadcast to that of the sum. The mapping
        counts the fetched elements.
        """
        self.level2_need = 2 * (inputs + weights + outputs)
        cycles = compute + self.message(inputs + weights)
        if self._off_chip is not None:
            self._shortest = np.floor(np.maximum(inputs + weights, outputs) / self._off_chip)
            cycles = np.maximum(cycles, self._shortest)
        self.cycles += cycles

    def steps(self, occurrences: FloatArray, busy: FloatArray, egress: FloatArray) -> FloatArray:
        """Return the cycles of `occurrences` steps that take `busy` for compute and ingress, and `egress` to send outputs out.

        Arguments have shapes that broadcast together.
        """
        cycles = np.maximum(busy, egress)
        if self._shortest is not None:
            cycles = np.maximum(cycles, self._shortest)
        return np.asarray(occurrences * cycles)


def over(tile_pairs: tuple[Tile, Tile]) -> Iterator[Tile]:
    """Return the tiles of a pair with a count above 0."""
    return (tile for tile in tile_pairs if tile.count.any())
