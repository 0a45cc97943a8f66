"""Input of the dataflow cost model: layers as arrays of dimensions, and the figures of a processing-element array.

Everything is checked here, once, with the field, the value found and the values accepted. Counts of the model are held in
float64, exact up to 2**53; `LARGEST_COUNT` leaves room for sums of the counts of one layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.errors import ProblemError
from engines.workloads.network import COMPUTE_KINDS, Layer

Numbers = npt.NDArray[Any]  # integer or floating, exact in both
Indices = npt.NDArray[np.intp] | slice

LARGEST_DIMENSION = 2**31 - 1
LARGEST_COUNT = 2**49
_DIMENSIONS = ("k", "c", "r", "s", "y", "x", "stride", "copies")


@dataclass(frozen=True)
class LayerShapes:
    """Dimensions of `n` layers as arrays of shape `n` (names as in `engines.workloads.network.Layer`, `y x` with padding).

    Attributes:
        depthwise: whether each of the `c` channels is filtered on its own; `k` is then left out of all counts.
        copies: independent products of these dimensions executed one after the other (groups x repeats).
    """

    k: IntArray
    c: IntArray
    r: IntArray
    s: IntArray
    y: IntArray
    x: IntArray
    stride: IntArray
    depthwise: BoolArray
    copies: IntArray

    def __len__(self) -> int:
        return len(self.k)

    def take(self, indices: Indices) -> LayerShapes:
        """Return the layers at `indices`, in that order."""
        return LayerShapes(**{f.name: getattr(self, f.name)[indices] for f in fields(self)})

    @property
    def output_rows(self) -> IntArray:
        """Rows of the output, shape `n`."""
        return (self.y - self.r) // self.stride + 1

    @property
    def output_columns(self) -> IntArray:
        """Columns of the output, shape `n`."""
        return (self.x - self.s) // self.stride + 1


@dataclass(frozen=True)
class ArrayFigures:
    """The figures of a chiplet that a mapping needs; each a number or an array of one value per layer.

    Attributes:
        processing_elements: size of the array.
        bandwidth_elements_per_cycle: bandwidth of the network on chip.
        hop_latency_cycles: latency of one message before its first element arrives.
        level1_access_energy_macs, level2_access_energy_macs: energy of one access relative to one multiply-accumulate.
        off_chip_bandwidth_elements_per_cycle: MAESTRO's off-chip rule, by which no step is shorter than moving the working
            set of the first one; None leaves off-chip traffic to the caller (`engines.cost.package.model`).
    """

    processing_elements: int | IntArray
    bandwidth_elements_per_cycle: float | FloatArray
    hop_latency_cycles: float | FloatArray = 1.0
    level1_access_energy_macs: float | FloatArray = 1.68
    level2_access_energy_macs: float | FloatArray = 18.61
    off_chip_bandwidth_elements_per_cycle: float | FloatArray | None = None


def elements_per_cycle(bandwidth_bytes_per_s: float, word_bits: int, clock_hz: float) -> float:
    """Return a bandwidth as the model takes it, from bytes per second, the word width and the clock of the array.

    Raises:
        ProblemError: if any of them is not above 0.
    """
    given = {"bandwidth_bytes_per_s": bandwidth_bytes_per_s, "word_bits": word_bits, "clock_hz": clock_hz}
    for name, value in given.items():
        if not value > 0:
            raise ProblemError(f"array.{name}", value, "above 0")
    return bandwidth_bytes_per_s * 8 / word_bits / clock_hz


def shapes_of(layers: Iterable[Layer]) -> LayerShapes:
    """Return the dimensions of `layers` as arrays.

    A depthwise layer's channels stand in `c` (it has one input channel per output channel); groups and repeats multiply.

    Raises:
        ProblemError: if a layer's kind does not compute, or a dimension does not fit.
    """
    layers = tuple(layers)
    for index, layer in enumerate(layers):
        if layer.kind not in COMPUTE_KINDS:
            raise ProblemError(f"layers[{index}].kind", layer.kind, f"one of {', '.join(COMPUTE_KINDS)}")
    return LayerShapes(
        k=_column("k", (layer.k for layer in layers)),
        c=_column("c", (max(layer.k, layer.c) if layer.depthwise else layer.c for layer in layers)),
        r=_column("r", (layer.r for layer in layers)),
        s=_column("s", (layer.s for layer in layers)),
        y=_column("y", (layer.y for layer in layers)),
        x=_column("x", (layer.x for layer in layers)),
        stride=_column("stride", (layer.stride for layer in layers)),
        depthwise=np.array([layer.depthwise for layer in layers], dtype=bool),
        copies=_column("copies", (layer.repeats * (1 if layer.depthwise else layer.groups) for layer in layers)),
    )


def _column(name: str, values: Iterable[int]) -> IntArray:
    listed = list(values)
    for index, value in enumerate(listed):
        if not 1 <= value <= LARGEST_DIMENSION:
            raise ProblemError(f"layers[{index}].{name}", value, _DIMENSION)
    return np.array(listed, dtype=np.int64)


_DIMENSION = f"a whole number from 1 to {LARGEST_DIMENSION}"


def check_shapes(shapes: LayerShapes) -> None:
    """Raise `ProblemError` for the first layer that cannot be evaluated, naming the field."""
    for name in _DIMENSIONS:
        values = getattr(shapes, name)
        if values.dtype.kind not in "iu":
            raise ProblemError(f"layers.{name}", str(values.dtype), "an array of whole numbers")
        if len(values) != len(shapes):
            raise ProblemError(f"layers.{name}", len(values), f"one value per layer ({len(shapes)})")
        if len(values) and (values.min() < 1 or values.max() > LARGEST_DIMENSION):
            _refuse(name, values, (values < 1) | (values > LARGEST_DIMENSION), _DIMENSION)
    _refuse("y", shapes.y, shapes.y < shapes.r, "at least r, the height of the kernel (padding included)")
    _refuse("x", shapes.x, shapes.x < shapes.s, "at least s, the width of the kernel (padding included)")
    largest = {name: int(getattr(shapes, name).max(initial=0)) for name in _DIMENSIONS}
    if _bound(largest) > LARGEST_COUNT:
        _check_counts(shapes)


def _bound(largest: dict[str, int]) -> int:
    """Return an upper bound of the count of any layer with dimensions up to `largest`; it halves the time of a check."""
    plane = largest["y"] * largest["x"] * largest["copies"]
    return plane * largest["k"] * largest["c"] * largest["r"] * largest["s"]


def _check_counts(shapes: LayerShapes) -> None:
    k, c, r, s, y, x, _, copies = (getattr(shapes, name).astype(np.float64) for name in _DIMENSIONS)
    filters = np.where(shapes.depthwise, 1.0, k)
    counts = {
        "macs": filters * c * r * s * shapes.output_rows * shapes.output_columns * copies,
        "input_elements": c * y * x * copies,
        "weight_elements": filters * c * r * s * copies,
        "output_elements": np.where(shapes.depthwise, c, k) * y * x * copies,
    }
    for name, values in counts.items():
        _refuse(
            name, values, values > LARGEST_COUNT, f"at most 2**49 = {LARGEST_COUNT}, beyond which counts are not exact"
        )


def _refuse(name: str, values: Numbers, wrong: BoolArray, accepted: str) -> None:
    if wrong.any():
        index = int(np.argmax(wrong))
        raise ProblemError(f"layers[{index}].{name}", int(values[index]), accepted)


def check_array(array: ArrayFigures, layers: int | None = None) -> None:
    """Raise `ProblemError` for the first figure of the array that cannot be used (with `layers`: or has another length)."""
    for field in fields(array):
        value = getattr(array, field.name)
        if value is None:
            continue
        values = np.asarray(value)
        if layers is not None and values.ndim and values.shape != (layers,):
            raise ProblemError(f"array.{field.name}", values.shape, f"a number or one value per layer ({layers})")
        if field.name == "processing_elements":
            accepted, right = _DIMENSION, (values == np.floor(values)) & (values >= 1) & (values <= LARGEST_DIMENSION)
        elif field.name == "hop_latency_cycles":
            accepted, right = "finite and at least 0", np.isfinite(values) & (values >= 0)
        else:
            accepted, right = "finite and above 0", np.isfinite(values) & (values > 0)
        wrong = ~right
        if wrong.any():
            raise ProblemError(f"array.{field.name}", values[wrong].flat[0].item(), accepted)


def check_axis(name: str, values: Sequence[Any]) -> None:
    """Raise `ProblemError` if an axis of a grid is empty."""
    if len(values) == 0:
        raise ProblemError(name, list(values), "a list of at least one value")
