"""Run time, buffer accesses and energy of layers on accelerator chiplets, in closed form and in batches.

`mapping_costs` evaluates layers one by one on an array (or each on its own), `grid_costs` all combinations of layers,
mappings, array sizes and bandwidths, `layer_costs` the layers of a network on a chiplet of a named dataflow. All three are
one implementation: the mappings of `engines.cost.dataflow.mappings`, over numpy arrays. Run time is in clock cycles, energy
in units of one multiply-accumulate, sizes in elements; `LayerCosts` converts.

Energy (MAESTRO, commit 4eb08d1): 18.61 x (reads and writes of the shared buffer) + 1.68 x (reads and writes of the buffers
in the array) + multiply-accumulates. Agreement with MAESTRO and what is not checked: docs/cost-model.md, measured by
`make bench ARGS=cost`. Off-chip traffic is the caller's (`engines.cost.package.model`) unless the array states an off-chip
bandwidth; padding is part of a layer's size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from types import MappingProxyType

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.cost.dataflow.inputs import (
    ArrayFigures,
    Indices,
    LayerShapes,
    check_array,
    check_axis,
    check_shapes,
    elements_per_cycle,
    shapes_of,
)
from engines.cost.dataflow.mappings import MAPPINGS
from engines.cost.dataflow.steps import Loops, StepSum
from engines.workloads.network import Layer

__all__ = [
    "MAPPINGS",
    "MAPPING_OF_DATAFLOW",
    "ArrayFigures",
    "LayerCosts",
    "LayerShapes",
    "elements_per_cycle",
    "grid_costs",
    "layer_costs",
    "mapping_costs",
    "shapes_of",
]

MAPPING_OF_DATAFLOW: Mapping[str, str] = MappingProxyType({"nvdla": "kcp_ws", "shi-diannao": "ykp_os"})
_CHUNK = 16384  # evaluations at a time: the arrays of one chunk stay in the second-level cache


@dataclass(frozen=True)
class LayerCosts:
    """Costs of layers for one sample; every array has shape `n`, from `grid_costs` the shape of the grid.

    Attributes:
        cycles: run time in clock cycles of the array.
        macs: multiply-accumulates.
        level1_accesses, level2_accesses: reads and writes of the buffers in the array and of the shared buffer.
        energy_macs: total energy in units of one multiply-accumulate, the sum of the three parts below.
        compute_energy_macs: energy of the multiply-accumulates, as the mapping counts them.
        level1_energy_macs, level2_energy_macs: energy of the accesses to the buffers in the array and to the shared buffer.
        utilisation: macs / (cycles x processing elements).
        level1_need_elements: elements that the doubled buffer of one PE must hold.
        level2_need_elements: elements that the doubled shared buffer must hold.
    """

    cycles: FloatArray
    macs: FloatArray
    level1_accesses: FloatArray
    level2_accesses: FloatArray
    energy_macs: FloatArray
    compute_energy_macs: FloatArray
    level1_energy_macs: FloatArray
    level2_energy_macs: FloatArray
    utilisation: FloatArray
    level1_need_elements: FloatArray
    level2_need_elements: FloatArray

    def latency_s(self, clock_hz: float) -> FloatArray:
        """Run time at a clock, in seconds, of the same shape as `cycles`."""
        return self.cycles / clock_hz

    def energy_j(self, mac_energy_pj: float) -> FloatArray:
        """Return the energy in joules, from that of one multiply-accumulate; of the same shape as `cycles`."""
        return self.energy_macs * (mac_energy_pj * 1e-12)


def mapping_costs(mapping: str, shapes: LayerShapes, array: ArrayFigures) -> LayerCosts:
    """Return the costs of all `shapes` under one mapping.

    Args:
        mapping: a name of `MAPPINGS`; a depthwise layer runs `dpt` whatever is asked for.
        shapes: `n` layers; `c` of a depthwise layer is its number of channels.
        array: the chiplet; its figures are numbers or arrays of shape `n`.

    Raises:
        ProblemError: if there is no such mapping, or a layer or figure cannot be evaluated.
    """
    _check_mapping("mapping", mapping)
    check_shapes(shapes)
    check_array(array, len(shapes))
    costs = _empty((len(shapes),))
    for name, chosen in _chunks(mapping, shapes, _CHUNK):
        part = shapes.take(chosen)
        _store(costs, chosen, _evaluate(name, part, _take(array, chosen, len(shapes)), (len(part),)))
    return costs


def grid_costs(
    mappings: Sequence[str],
    shapes: LayerShapes,
    processing_elements: Sequence[int],
    bandwidths_elements_per_cycle: Sequence[float],
    array: ArrayFigures | None = None,
) -> LayerCosts:
    """Return the costs of every layer under every mapping on every array size at every bandwidth.

    Args:
        mappings: `m` names of `MAPPINGS`; depthwise layers run `dpt` under each of them.
        shapes: `n` layers.
        processing_elements: `p` array sizes.
        bandwidths_elements_per_cycle: `b` bandwidths of the network on chip.
        array: all other figures, as numbers.

    Returns:
        Arrays of shape `n x m x p x b`.

    Raises:
        ProblemError: if an axis is empty, there is no such mapping, or a layer or figure cannot be evaluated.
    """
    axes = {
        "mappings": mappings,
        "processing_elements": processing_elements,
        "bandwidths": bandwidths_elements_per_cycle,
    }
    for axis, values in axes.items():
        check_axis(axis, values)
    for index, mapping in enumerate(mappings):
        _check_mapping(f"mappings[{index}]", mapping)
    check_shapes(shapes)
    figures = replace(
        array if array is not None else ArrayFigures(1, 1.0),
        processing_elements=np.asarray(processing_elements)[:, None],
        bandwidth_elements_per_cycle=np.asarray(bandwidths_elements_per_cycle),
    )
    check_array(figures)
    points = (len(processing_elements), len(bandwidths_elements_per_cycle))
    layers_at_a_time = max(_CHUNK // (points[0] * points[1]), 1)
    costs = _empty((len(shapes), len(mappings), *points))
    for position, mapping in enumerate(mappings):
        for name, chosen in _chunks(mapping, shapes, layers_at_a_time):
            part = shapes.take(chosen)
            _store(costs, (chosen, position), _evaluate(name, part, figures, (len(part), *points)))
    return costs


def layer_costs(
    layers: Iterable[Layer],
    dataflow: str,
    array: ArrayFigures,
    mapping_of_dataflow: Mapping[str, str] = MAPPING_OF_DATAFLOW,
) -> LayerCosts:
    """Return the costs of `layers`, one sample each, on a chiplet of `dataflow`; depthwise layers always run `dpt`.

    Args:
        layers: the layers.
        dataflow: dataflow of the chiplet.
        array: the chiplet.
        mapping_of_dataflow: dataflow -> its mapping in `MAPPINGS`.

    Raises:
        ProblemError: if no mapping stands for `dataflow`, or a layer cannot be evaluated.
    """
    if dataflow not in mapping_of_dataflow:
        raise ProblemError("dataflow", dataflow, f"one of {', '.join(sorted(mapping_of_dataflow))}")
    return mapping_costs(mapping_of_dataflow[dataflow], shapes_of(layers), array)


@cache
def _keep_freed_memory() -> None:
    """Free one block of 24 MiB, untouched, once: it triples the speed of what follows.

    glibc gives freed memory back to the system, and fetches it again page by page, beyond a threshold that it raises to
    twice the largest block freed so far; the temporary arrays of a chunk would cross it all the time. Elsewhere it does nothing.
    """
    np.empty(24 << 20, dtype=np.uint8)


def _check_mapping(field: str, mapping: str) -> None:
    if mapping not in MAPPINGS:
        raise ProblemError(field, mapping, f"one of {', '.join(MAPPINGS)}")


def _chunks(mapping: str, shapes: LayerShapes, size: int) -> Iterator[tuple[str, Indices]]:
    """Yield (mapping, up to `size` layers that run it); slices where all layers run the same, which saves copies."""
    if not shapes.depthwise.any():
        for begin in range(0, len(shapes), size):
            yield mapping, slice(begin, begin + size)
        return
    for name, chosen in ((mapping, ~shapes.depthwise), ("dpt", shapes.depthwise)):
        indices = np.flatnonzero(chosen)
        for begin in range(0, len(indices), size):
            yield name, indices[begin : begin + size]


def _take(array: ArrayFigures, chosen: Indices, count: int) -> ArrayFigures:
    """Return the array values of the chosen layers."""
    given = {f.name: np.asarray(getattr(array, f.name)) for f in fields(array) if getattr(array, f.name) is not None}
    return ArrayFigures(
        **{name: np.broadcast_to(values, (count,))[chosen] if values.ndim else values for name, values in given.items()}
    )


def _empty(shape: tuple[int, ...]) -> LayerCosts:
    return LayerCosts(**{f.name: np.empty(shape) for f in fields(LayerCosts)})


def _store(costs: LayerCosts, where: Indices | tuple[Indices, int], part: LayerCosts) -> None:
    for f in fields(LayerCosts):
        getattr(costs, f.name)[where] = getattr(part, f.name)


def _evaluate(mapping: str, shapes: LayerShapes, array: ArrayFigures, shape: tuple[int, ...]) -> LayerCosts:
    """Return the costs of one chunk; `shape` is that of the layers broadcast against the figures of the array."""
    _keep_freed_memory()
    loops = Loops.of(shapes, len(shape) - 1)
    elements = np.asarray(array.processing_elements, dtype=np.float64)
    total = StepSum(array, np.asarray(array.bandwidth_elements_per_cycle, dtype=np.float64), shape)
    MAPPINGS[mapping].evaluate(loops, elements, total)
    rows, columns = loops.rows, loops.columns
    output_planes = np.where(loops.depthwise, loops.c, loops.k)
    # MAESTRO counts an output plane as if the stride were 1 here; its tables show it on every strided row.
    output_reads = output_planes * (rows.size - rows.kernel + 1) * (columns.size - columns.kernel + 1)
    stored = loops.c * rows.size * columns.size + loops.k * loops.c * loops.area
    macs = loops.k * loops.c * loops.area * rows.outputs * columns.outputs
    fetched = total.fetched
    # MAESTRO's counts of strided layers can fall below 0; so far its windows over the rest are followed, not further.
    writes = np.where(total.output_writes + output_reads > 0, total.output_writes, 0.0)
    operations = np.where(total.operations > 0, total.operations, macs)
    sums = np.where(total.partial_sums + operations > 0, total.partial_sums, 0.0)
    level2 = fetched + stored + writes + output_reads
    level1 = 2 * (sums + operations) + fetched
    level2_energy = array.level2_access_energy_macs * level2
    level1_energy = array.level1_access_energy_macs * level1
    copies = shapes.copies.astype(np.float64).reshape(loops.k.shape)
    return LayerCosts(
        cycles=total.cycles * copies,
        macs=macs * copies,
        level1_accesses=level1 * copies,
        level2_accesses=level2 * copies,
        energy_macs=(level2_energy + level1_energy + operations) * copies,
        compute_energy_macs=operations * copies,
        level1_energy_macs=level1_energy * copies,
        level2_energy_macs=level2_energy * copies,
        # MAESTRO takes no time for the last output row of some strided layers; nothing is more than fully used.
        utilisation=np.minimum(macs / (total.cycles * elements), 1.0),
        level1_need_elements=total.level1_need,
        level2_need_elements=total.level2_need,
    )
