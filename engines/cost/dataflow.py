"""Run time, buffer accesses and energy of one layer on one accelerator chiplet, in closed form.

Three mappings of MAESTRO (maestro-project/maestro, commit 4eb08d1), vectorised over layers:

- `kcp_ws`, weight stationary: output channels over clusters of 64 processing elements, input channels inside a cluster;
  stands for NVDLA (MAESTRO's own kcp_ws.m says so);
- `ykp_os`, output stationary: output rows over clusters of 16, output channels inside a cluster; stands for Shi-diannao
  (a named choice, see `MAPPING_OF_DATAFLOW`);
- `dpt`, input channels over all processing elements; runs depthwise layers on either kind of chiplet.

A mapping is walked step by step. A step takes max(compute, ingress, egress) cycles because both buffers are doubled; the
very first one takes compute + ingress. A message of v elements takes h + ceil(v / bandwidth) - 1 cycles. Every step is
classified by the loop that moved and by whether the outer tiles are full or the shorter last ones, so that a layer needs
at most a few dozen terms whatever its size. Run time is in clock cycles, energy in units of one multiply-accumulate.

Agreement with MAESTRO, measured by tests/engines/cost/test_dataflow.py on tests/data/maestro: all 604 rows of stride 1
(random layers among them) exact in cycles and in the printed digits of energy. Stride 2: `kcp_ws` and `dpt` exact on all 67
rows; `ykp_os` exact in cycles on 23 of 25 (worst 38% low), in energy on 16 of 25 (worst 14% off). Stride 4: cycles exact on
9 of 12 rows (worst 45% low). Off-chip traffic and padding are not part of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.workloads.network import Layer

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]  # integer or floating, exact in both

MAPPING_OF_DATAFLOW: Mapping[str, str] = MappingProxyType({"nvdla": "kcp_ws", "shi-diannao": "ykp_os"})
KCP_CLUSTER_PES = 64
YKP_CLUSTER_PES = 16


@dataclass(frozen=True)
class LayerShapes:
    """Dimensions of `n` layers as arrays of shape `n` (names as in `engines.workloads.network.Layer`, `y x` with padding).

    Attributes:
        copies: independent products of these dimensions executed one after the other (groups x repeats).
    """

    k: IntArray
    c: IntArray
    r: IntArray
    s: IntArray
    y: IntArray
    x: IntArray
    stride: IntArray
    depthwise: npt.NDArray[np.bool_]
    copies: IntArray

    def __len__(self) -> int:
        return len(self.k)

    def take(self, indices: npt.NDArray[np.int64]) -> LayerShapes:
        """The layers at `indices`, in that order."""
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
    """What the mapping needs to know of a chiplet.

    Attributes:
        processing_elements: size of the array.
        bandwidth_elements_per_cycle: of the network on chip.
        hop_latency_cycles: latency of one message before its first element arrives.
        level1_access_energy_macs, level2_access_energy_macs: energy of one access relative to one multiply-accumulate.
    """

    processing_elements: int
    bandwidth_elements_per_cycle: float
    hop_latency_cycles: float = 1.0
    level1_access_energy_macs: float = 1.68
    level2_access_energy_macs: float = 18.61


@dataclass(frozen=True)
class LayerCosts:
    """Costs of `n` layers for one sample; every array has shape `n`.

    Attributes:
        cycles: run time.
        macs: multiply-accumulates.
        level1_accesses, level2_accesses: reads and writes of the buffers in the array and of the shared buffer.
        energy_macs: total energy in units of one multiply-accumulate.
        utilisation: macs / (cycles x processing elements).
    """

    cycles: FloatArray
    macs: FloatArray
    level1_accesses: FloatArray
    level2_accesses: FloatArray
    energy_macs: FloatArray
    utilisation: FloatArray


class _StepSum:
    """Adds up steps of one kind after another for `n` layers at once."""

    def __init__(self, array: ArrayFigures, count: int) -> None:
        self._array = array
        self.cycles = np.zeros(count)
        self.input_reads = np.zeros(count)
        self.weight_reads = np.zeros(count)
        self.output_writes = np.zeros(count)

    def message(self, elements: Numbers) -> Numbers:
        """Cycles of one message of `elements`; none takes none."""
        bandwidth, latency = self._array.bandwidth_elements_per_cycle, self._array.hop_latency_cycles
        return np.where(elements > 0, latency + np.ceil(elements / bandwidth) - 1, 0.0)

    def add(
        self,
        occurrences: Numbers,
        compute: Numbers,
        inputs: Numbers | float,
        weights: Numbers | float,
        outputs: Numbers,
        written: Numbers | None = None,
        *,
        first: bool = False,
    ) -> None:
        """`occurrences` steps that bring `inputs` and `weights` elements in and `outputs` out; none where it is <= 0.

        `written` are the outputs that count as writes of the shared buffer, where they are not all `outputs`.
        """
        occurrences = np.maximum(occurrences, 0)
        inputs, weights = np.broadcast_to(inputs, occurrences.shape), np.broadcast_to(weights, occurrences.shape)
        ingress = self.message(inputs + weights)
        delay = compute + ingress if first else np.maximum(np.maximum(compute, ingress), self.message(outputs))
        self.cycles += occurrences * delay
        self.input_reads += occurrences * inputs
        self.weight_reads += occurrences * weights
        self.output_writes += occurrences * (outputs if written is None else written)


def _tiles(total: Numbers, tile: int) -> list[tuple[Numbers, Numbers, Numbers]]:
    """(size, how many, 1 if it holds the first tile) of the full tiles and of the shorter last one; counts may be 0."""
    size = np.minimum(total, tile)
    full = total // size
    rest = total - full * size
    one = np.ones(len(total))
    return [(size, full.astype(float), one), (rest, (rest > 0).astype(float), 0 * one)]


def _steps(total: Numbers, tile: int) -> tuple[Numbers, Numbers]:
    """(size, how many) of equal tiles, the last one counted as a whole: inside a cluster a tile never shrinks."""
    size = np.minimum(total, tile)
    return size, -(-total // size).astype(float)


def _written(active: Numbers, total: Numbers, units: int) -> Numbers:
    """Outputs written per step by `active` units: MAESTRO's tables leave one out where `total` does not fill the array."""
    return np.where((total < units) & (active > 1), active - 1, active).astype(float)


def _kcp_ws(shapes: LayerShapes, array: ArrayFigures, total: _StepSum) -> None:
    """Loop order K, C, Y, X: clusters share K, the elements of one cluster share C, weights stay while Y and X move."""
    r, s, stride = shapes.r, shapes.s, shapes.stride
    rows, columns = shapes.output_rows, shapes.output_columns
    clusters = max(array.processing_elements // KCP_CLUSTER_PES, 1)
    ct, c_count = _steps(shapes.c, KCP_CLUSTER_PES)
    compute = r * s + total.message(2.0 * ct * r * s)
    window = ct * r * s
    row_inputs = np.where(columns > 1, window, ct * np.minimum(r, stride) * s)
    for ka, k_count, first in _tiles(shapes.k, clusters):
        weights, written = ka * window, _written(ka, shapes.k, clusters)
        tiles = k_count * c_count
        total.add(tiles * rows * (columns - 1), compute, ct * r * np.minimum(s, stride), 0.0, ka, written)
        total.add(tiles * (rows - 1), compute, row_inputs, 0.0, ka, written)
        total.add(k_count * (c_count - 1), compute, window, weights, ka, written)
        total.add(k_count - first, compute, 0.0, weights, ka, written)
        total.add(first, compute, window, weights, ka, written, first=True)


def _ykp_os(shapes: LayerShapes, array: ArrayFigures, total: _StepSum) -> None:
    """Loop order K, Y, X, C: clusters share output rows, the elements of one cluster share 16 K, outputs stay while C moves."""
    r, s, c, stride = shapes.r, shapes.s, shapes.c, shapes.stride
    columns = shapes.output_columns
    clusters = max(array.processing_elements // YKP_CLUSTER_PES, 1)
    kt, _ = _steps(shapes.k, YKP_CLUSTER_PES)
    compute = r * s + total.message((kt + 1.0) * r * s)
    weights = kt * r * s
    for ka, k_count, k_first in _tiles(shapes.k, YKP_CLUSTER_PES):
        for ya, y_count, y_first in _tiles(shapes.output_rows, clusters):
            # Only the outputs know that the last 16 channels are fewer; weights are sent to the whole cluster.
            tiles, window, outputs = k_count * y_count, ya * r * s, ka * ya
            column_inputs = np.where(c > 1, window, ya * r * np.minimum(s, stride))
            total.add(tiles * columns * (c - 1), compute, window, weights, outputs)
            total.add(tiles * (columns - 1), compute, column_inputs, 0.0, outputs)
            total.add(k_count * (y_count - y_first), compute, window, 0.0, outputs)
            total.add((k_count - k_first) * y_first, compute, 0.0, weights, outputs)
            total.add(k_first * y_first, compute, window, weights, outputs, first=True)


def _dpt(shapes: LayerShapes, array: ArrayFigures, total: _StepSum) -> None:
    """Loop order C, Y, X on one level: the elements share C; K of a dense layer is worked off inside each step."""
    r, s, stride = shapes.r, shapes.s, shapes.stride
    rows, columns = shapes.output_rows, shapes.output_columns
    filters = np.where(shapes.depthwise, 1, shapes.k)
    compute = (filters * r * s).astype(float)
    for ca, count, first in _tiles(shapes.c, array.processing_elements):
        outputs = np.where(shapes.depthwise, ca, shapes.k)
        written = np.where(shapes.depthwise, _written(ca, shapes.c, array.processing_elements), outputs)
        weights, window = ca * filters * r * s, ca * r * s
        row_inputs = np.where(columns > 1, window, ca * np.minimum(r, stride) * s)
        total.add(count * rows * (columns - 1), compute, ca * r * np.minimum(s, stride), 0.0, outputs, written)
        total.add(count * (rows - 1), compute, row_inputs, 0.0, outputs, written)
        total.add(count - first, compute, window, weights, outputs, written)
        total.add(first, compute, window, weights, outputs, written, first=True)


_MAPPINGS: Mapping[str, Callable[[LayerShapes, ArrayFigures, _StepSum], None]] = MappingProxyType(
    {"kcp_ws": _kcp_ws, "ykp_os": _ykp_os, "dpt": _dpt}
)


def mapping_costs(mapping: str, shapes: LayerShapes, array: ArrayFigures) -> LayerCosts:
    """Costs of all `shapes` under one mapping, whatever their kind.

    Args:
        mapping: "kcp_ws", "ykp_os" or "dpt".
        shapes: the layers; `c` of a depthwise layer is its number of channels.
        array: the chiplet.

    Raises:
        ValueError: if there is no such mapping.
    """
    if mapping not in _MAPPINGS:
        raise ValueError(f"The mapping must be one of {sorted(_MAPPINGS)}. Got {mapping!r} instead.")
    total = _StepSum(array, len(shapes))
    _MAPPINGS[mapping](shapes, array, total)
    filters = np.where(shapes.depthwise, 1, shapes.k)
    outputs = np.where(shapes.depthwise, shapes.c, shapes.k) * shapes.output_rows * shapes.output_columns
    # MAESTRO counts an output plane as if the stride were 1 here; its tables show it on every strided row.
    output_reads = (
        np.where(shapes.depthwise, shapes.c, shapes.k) * (shapes.y - shapes.r + 1) * (shapes.x - shapes.s + 1)
    )
    macs = (outputs * np.where(shapes.depthwise, 1, shapes.c) * shapes.r * shapes.s).astype(float)
    fetched = total.input_reads + total.weight_reads
    stored = shapes.c * shapes.y * shapes.x + filters * shapes.c * shapes.r * shapes.s
    level2 = fetched + stored + total.output_writes + output_reads
    level1 = 4 * macs + fetched
    energy = array.level2_access_energy_macs * level2 + array.level1_access_energy_macs * level1 + macs
    copies = shapes.copies
    return LayerCosts(
        cycles=total.cycles * copies,
        macs=macs * copies,
        level1_accesses=level1 * copies,
        level2_accesses=level2 * copies,
        energy_macs=energy * copies,
        utilisation=macs / (total.cycles * array.processing_elements),
    )


def shapes_of(layers: Iterable[Layer]) -> LayerShapes:
    """The dimensions of `layers` as arrays.

    A depthwise layer's channels stand in `c` (it has one input channel per output channel); groups and repeats multiply.
    """
    layers = tuple(layers)

    def column(values: Iterable[int]) -> IntArray:
        return np.fromiter(values, np.int64, len(layers))

    return LayerShapes(
        k=column(layer.k for layer in layers),
        c=column(max(layer.k, layer.c) if layer.depthwise else layer.c for layer in layers),
        r=column(layer.r for layer in layers),
        s=column(layer.s for layer in layers),
        y=column(layer.y for layer in layers),
        x=column(layer.x for layer in layers),
        stride=column(layer.stride for layer in layers),
        depthwise=np.array([layer.depthwise for layer in layers], dtype=bool),
        copies=column(layer.repeats * (1 if layer.depthwise else layer.groups) for layer in layers),
    )


def layer_costs(layers: Iterable[Layer], dataflow: str, array: ArrayFigures) -> LayerCosts:
    """Costs of `layers`, one sample each, on a chiplet of `dataflow`; depthwise layers always run `dpt`.

    Raises:
        ValueError: if no mapping stands for `dataflow`.
    """
    if dataflow not in MAPPING_OF_DATAFLOW:
        raise ValueError(f"The dataflow must be one of {sorted(MAPPING_OF_DATAFLOW)}. Got {dataflow!r} instead.")
    shapes = shapes_of(layers)
    result = {f.name: np.zeros(len(shapes)) for f in fields(LayerCosts)}
    for mapping, chosen in (("dpt", shapes.depthwise), (MAPPING_OF_DATAFLOW[dataflow], ~shapes.depthwise)):
        indices = np.flatnonzero(chosen)
        if len(indices):
            part = mapping_costs(mapping, shapes.take(indices), array)
            for name, values in result.items():
                values[indices] = getattr(part, name)
    return LayerCosts(**result)
