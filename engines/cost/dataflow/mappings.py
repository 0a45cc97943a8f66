"""The mappings: which loops run over which processing elements, and what every kind of step moves.

Steps are classified by the loop that moved and by whether the outer tiles are full or the shorter last ones, so that a
layer needs at most a few dozen terms whatever its size. A tensor is fetched only when the innermost loop that moved is one
of its own dimensions.

`kcp_ws`, `ykp_os` and `dpt` follow MAESTRO (maestro-project/maestro, commit 4eb08d1) to the digit, its treatment of rows
and columns that the stride leaves over included: MAESTRO walks one more window over them, which counts `rest - stride + 1`
outputs, none or fewer than none. `ykp_os_rows`, `ykp_os_kept` and `yxp_os` are not checked against MAESTRO.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.dataflow.steps import Axis, Loops, StepSum, over, tiles, written

KCP_CLUSTER_PES = 64
YKP_CLUSTER_PES = 16
YXP_CLUSTER_PES = 8

_Kind = tuple[FloatArray, FloatArray | float, FloatArray]  # steps, outputs per channel of each, inputs per unit of each


def _clusters(elements: FloatArray, cluster: int) -> tuple[FloatArray, FloatArray]:
    """Return (elements of one cluster, clusters); an array smaller than a cluster is one cluster, where MAESTRO divides by 0.

    Both have the shape of `elements`.
    """
    size = np.minimum(elements, float(cluster))
    return size, np.floor(elements / size)


def _corner(loops: Loops) -> FloatArray:
    """Return the outputs of the step where both axes are at their cut window: two negative counts, which MAESTRO takes for a step.

    Of the same shape as the axes.
    """
    return loops.rows.surplus * loops.columns.surplus


def kcp_ws(loops: Loops, elements: FloatArray, total: StepSum) -> None:
    """Add the steps of loop order K, C, Y, X: clusters share K, PEs of a cluster share C, weights stay while Y and X move.

    `elements`, the processing elements, has a shape that broadcasts with the loops'; cycles and elements are added to `total`.
    """
    rows, columns, area = loops.rows, loops.columns, loops.area
    cluster, clusters = _clusters(elements, KCP_CLUSTER_PES)
    ct = np.minimum(loops.c, cluster)
    c_count = np.ceil(loops.c / ct)
    window = ct * area
    compute = area + total.message(2 * window)
    column_inputs = ct * rows.kernel * columns.fresh
    row_inputs = np.where(columns.moves, window, ct * rows.fresh * columns.kernel)
    column_busy, row_busy = total.busy(compute, column_inputs), total.busy(compute, row_inputs)
    column_steps, row_steps = rows.outputs * (columns.outputs - 1), rows.outputs - 1
    corner = _corner(loops) if loops.strided else np.zeros(1)
    first, rest = tiles(loops.k, clusters)
    total.first(compute, window, first.size * window, written(first.size, loops.k, clusters))
    writes: FloatArray = np.zeros(1)
    for tile in over((first, rest)):
        outputs, weights = written(tile.size, loops.k, clusters), tile.size * window
        egress = total.message(outputs)
        plane = total.steps(column_steps, column_busy, egress) + total.steps(row_steps, row_busy, egress)
        if loops.strided:
            plane += total.steps(np.where(corner > 0, 1.0, 0.0), column_busy, total.message(outputs * corner))
        cycles = c_count * plane
        cycles += total.steps(c_count - 1, total.busy(compute, window + weights), egress)
        total.cycles += tile.count * cycles
        total.cycles += total.steps(tile.count - tile.first, total.busy(compute, weights), egress)
        writes = writes + tile.count * outputs
    k_count = first.count + rest.count
    moving = (column_steps + (corner > 0)) * column_inputs + row_steps * row_inputs
    total.fetched = k_count * (c_count * moving + (c_count - 1) * window) + window + loops.k * c_count * window
    writes = writes * c_count
    products = loops.k * loops.c * area
    counted = (rows.outputs + rows.surplus) * (columns.outputs + columns.surplus)
    total.output_writes, total.partial_sums = writes * counted, products * counted
    total.operations = products * (rows.outputs * columns.outputs + _corner(loops))
    total.level1_need = 6 * area


def dpt(loops: Loops, elements: FloatArray, total: StepSum) -> None:
    """Add the steps of loop order C, Y, X on one level: PEs share C; each step processes all K of a dense layer.

    `elements`, the processing elements, has a shape that broadcasts with the loops'; cycles and elements are added to `total`.
    """
    rows, columns, area, k = loops.rows, loops.columns, loops.area, loops.k
    compute = k * area
    unit_column, unit_row = (rows.kernel * columns.fresh, np.where(columns.moves, area, rows.fresh * columns.kernel))
    kinds: list[_Kind] = [(rows.outputs * (columns.outputs - 1), 1.0, unit_column), (rows.outputs - 1, 1.0, unit_row)]
    kinds += _cut_steps(loops, unit_column, unit_row)
    writes: FloatArray = np.zeros(1)
    first, rest = tiles(loops.c, elements)
    for tile in over((first, rest)):
        outputs = np.where(loops.depthwise, written(tile.size, loops.c, elements), k)
        egress, weights, window = total.message(outputs), tile.size * compute, tile.size * area
        if tile is first:
            total.first(compute, window, weights, outputs)
        for steps, size, unit in kinds:
            busy = total.busy(compute * size, tile.size * unit)
            sent = egress if isinstance(size, float) else total.message(outputs * size)
            total.cycles += tile.count * total.steps(steps, busy, sent)
        total.cycles += total.steps(tile.count - tile.first, total.busy(compute, window + weights), egress)
        writes = writes + tile.count * outputs
    moving = sum((steps * unit for steps, _, unit in kinds), area + compute)
    total.fetched = loops.c * moving
    products = compute * loops.c
    height, width = rows.whole_surplus, columns.whole_surplus
    counted = (rows.outputs + height) * (columns.outputs + width)
    total.output_writes, total.partial_sums = writes * counted, products * counted
    timed = (
        np.maximum(height, 0) * columns.outputs + np.maximum(width, 0) * rows.outputs + np.maximum(height * width, 0)
    )
    total.operations = products * (rows.outputs * columns.outputs + timed)
    total.level1_need = 2 * (area + 2 * compute)


def _cut_steps(loops: Loops, unit_column: FloatArray, unit_row: FloatArray) -> list[_Kind]:
    """Return the steps that one level of MAESTRO adds for windows over the rest, in arrays that broadcast with the loops'."""
    if not loops.strided:
        return []
    height, width = loops.rows.whole_surplus, loops.columns.whole_surplus
    return [
        (np.where(width > 0, loops.rows.outputs, 0.0), width, unit_column),
        (np.where(height > 0, loops.columns.outputs - 1, 0.0), height, unit_column),
        (np.where(height > 0, 1.0, 0.0), height, unit_row),
        (np.where(height * width > 0, 1.0, 0.0), height * width, unit_column),
    ]


@dataclass(frozen=True)
class _RowTile:
    """Output rows that clusters work on at a time.

    Attributes:
        count, first: as in `Tile`.
        rows: input rows sent to all clusters together; every cluster gets a whole window.
        fresh: rows of these that are new to the array after a move along Y.
        outputs: output rows sent back per step.
        sums: output rows whose partial sums are updated.
        timed: 0 where MAESTRO takes no time for the step.
    """

    count: FloatArray
    first: FloatArray
    rows: FloatArray
    fresh: FloatArray
    outputs: FloatArray
    sums: FloatArray
    timed: FloatArray | float = 1.0


def _plain_rows(rows: Axis, clusters: FloatArray) -> tuple[_RowTile, ...]:
    """Return the row tiles in which every active cluster receives its window and returns one output row.

    `clusters` has a shape that broadcasts with `rows`.
    """
    return tuple(
        _RowTile(t.count, t.first, t.size * rows.kernel, t.size * rows.kernel, t.size, t.size)
        for t in over(tiles(rows.outputs, clusters))
    )


def _maestro_rows(rows: Axis, clusters: FloatArray) -> tuple[_RowTile, ...]:
    """Return the row tiles of `_plain_rows` with MAESTRO's counts, of the same shapes.

    After the first cluster, each one returns as many rows as are fresh to it, min(R, stride); rows left over occupy a
    cluster of their own; a last tile of one cluster returns its whole window.
    """
    kernel, fresh = rows.kernel, rows.fresh
    left = rows.rest > 0
    full_count = np.floor(rows.outputs / clusters)
    short = full_count == 0
    tail = rows.outputs - full_count * clusters
    active = rows.outputs + left
    size = np.where(short, rows.outputs, clusters)
    cut = short & left
    short_outputs = np.where(active > 1, 1 + (active - 2) * fresh + rows.cut_outputs, 1)
    leading = _RowTile(
        count=np.where(short, 1.0, full_count),
        first=np.ones_like(size),
        rows=size * kernel + cut * rows.cut,
        fresh=kernel + (size - 1) * fresh,
        outputs=np.where(short, short_outputs, 1 + (clusters - 1) * fresh),
        sums=size + cut * rows.cut_outputs,
    )
    last = ~short & ((tail > 0) | left)
    if not last.any():
        return (leading,)
    one = tail < 2
    alone = np.where(left, rows.cut, kernel)  # what a last tile of one cluster holds, and returns
    whole = tail - left
    trailing = _RowTile(
        count=last.astype(np.float64),
        first=np.zeros_like(size),
        rows=np.where(tail == 0, kernel, whole * kernel + left * rows.cut),
        fresh=np.where(tail == 0, kernel, np.where(one, alone, kernel + (whole - 1) * fresh + left * rows.rest)),
        outputs=np.where(one, alone, 1 + (whole - 1) * fresh + left * rows.cut_outputs),
        sums=np.where(one, alone, whole + left * rows.cut_outputs),
        timed=(~one | (alone > 0)).astype(np.float64),
    )
    return leading, trailing


def _ykp(
    loops: Loops, elements: FloatArray, total: StepSum, row_tiles: Callable[..., tuple[_RowTile, ...]], keep: bool
) -> None:
    columns, area, c = loops.columns, loops.area, loops.c
    cluster, clusters = _clusters(elements, YKP_CLUSTER_PES)
    channels = tiles(loops.k, cluster)
    kt = channels[0].size
    weights = kt * area
    compute = area + total.message(weights + area)
    stays = (c == 1) & np.logical_not(columns.moves)
    outputs_y, sums_y, timed_y = np.zeros(1), np.zeros(1), np.zeros(1)
    channel_count = channels[0].count + channels[1].count
    for row_tile in row_tiles(loops.rows, clusters):
        count = row_tile.count * row_tile.timed
        window = row_tile.rows * columns.kernel
        column_inputs = np.where(c > 1, window, row_tile.rows * columns.fresh)
        fresh = np.where(stays, row_tile.fresh, row_tile.rows) * columns.kernel
        deep_busy = total.busy(compute, window + weights)
        column_busy, row_busy = total.busy(compute, column_inputs), total.busy(compute, fresh)
        deep, across, down = count * columns.outputs * (c - 1), count * (columns.outputs - 1), count - row_tile.first
        leads = row_tile.first.any()
        if leads:
            total.first(compute, window, weights, row_tile.outputs * kt)
            weights_busy = total.busy(compute, weights)
        # Kept outputs leave once, with the last input channel; with one channel alone every step is the last.
        drained = count * columns.outputs * (c > 1) if keep else np.zeros(1)
        for channel in over(channels):
            egress = total.message(channel.size * row_tile.outputs)
            cycles = total.steps(drained, deep_busy, egress) if keep else np.zeros(1)
            if keep:
                egress = np.where(c > 1, 0.0, egress)
            cycles = cycles + total.steps(deep - drained, deep_busy, egress)
            cycles += total.steps(across, column_busy, egress)
            cycles += total.steps(down, row_busy, egress)
            total.cycles += channel.count * cycles
            if leads:
                total.cycles += total.steps(channel.count - channel.first, weights_busy, egress)
        moving = deep * (window + weights) + across * column_inputs + down * fresh
        total.fetched = total.fetched + channel_count * moving
        if leads:
            total.fetched = total.fetched + window + channel_count * weights
        outputs_y = outputs_y + row_tile.count * row_tile.outputs
        sums_y = sums_y + row_tile.count * row_tile.sums
        timed_y = timed_y + count * row_tile.sums
    _count_ykp(loops, total, outputs_y, sums_y, timed_y, keep)


def _count_ykp(
    loops: Loops, total: StepSum, outputs_y: FloatArray, sums_y: FloatArray, timed_y: FloatArray, keep: bool
) -> None:
    width = loops.columns.outputs
    counted_width = width + loops.columns.surplus
    total.output_writes = loops.k * (1.0 if keep else loops.c) * counted_width * outputs_y
    products = loops.k * loops.c * loops.area
    total.partial_sums, total.operations = products * counted_width * sums_y, products * width * timed_y
    total.level1_need = 6 * loops.area


def ykp_os(loops: Loops, elements: FloatArray, total: StepSum) -> None:
    """Add the steps of loop order K, Y, X, C: clusters share output rows, PEs of a cluster share 16 K, outputs stay while C moves.

    `elements`, the processing elements, has a shape that broadcasts with the loops'; cycles and elements are added to `total`.
    """
    _ykp(loops, elements, total, _maestro_rows, keep=False)


def ykp_os_rows(loops: Loops, elements: FloatArray, total: StepSum) -> None:
    """Add the steps of `ykp_os` with one window and one output row per active cluster at any stride. Not checked against MAESTRO.

    `elements`, the processing elements, has a shape that broadcasts with the loops'; cycles and elements are added to `total`.
    """
    _ykp(_without_rest(loops), elements, total, _plain_rows, keep=False)


def ykp_os_kept(loops: Loops, elements: FloatArray, total: StepSum) -> None:
    """Add the steps of `ykp_os_rows` with partial sums kept in the PEs until all C are added. Not checked against MAESTRO.

    `elements`, the processing elements, has a shape that broadcasts with the loops'; cycles and elements are added to `total`.
    """
    _ykp(_without_rest(loops), elements, total, _plain_rows, keep=True)


def _without_rest(loops: Loops) -> Loops:
    def used(axis: Axis) -> Axis:
        size = axis.kernel + (axis.outputs - 1) * axis.stride
        return Axis(size, axis.kernel, axis.stride, axis.outputs, np.zeros_like(axis.rest))

    return Loops(loops.k, loops.c, loops.area, used(loops.rows), used(loops.columns), loops.depthwise, strided=False)


def yxp_os(loops: Loops, elements: FloatArray, total: StepSum) -> None:
    """Add the steps of loop order K, Y, X, C: clusters share output rows, the 8 PEs of a cluster share columns, outputs stay.

    `elements`, the processing elements, has a shape that broadcasts with the loops'; cycles and elements are added to `total`.

    MAESTRO's rules of counting on a mapping of two spatial dimensions. Not checked against MAESTRO: a mapping
    of that name in a fork (georgia-tech-synergy-lab/maestro) has C outside Y and X, which sends partial sums out and back.
    """
    loops = _without_rest(loops)
    rows, columns, area, c = loops.rows, loops.columns, loops.area, loops.c
    cluster, clusters = _clusters(elements, YXP_CLUSTER_PES)
    column_tiles = tiles(columns.outputs, cluster)
    width = column_tiles[0].size

    def span(active: FloatArray) -> FloatArray:
        return columns.kernel + (active - 1) * columns.fresh

    compute = area + total.message(rows.kernel * span(width) + area)
    for row in over(tiles(rows.outputs, clusters)):
        height = row.size * rows.kernel
        for column in over(column_tiles):
            leads = column.first.any()
            outputs, window = row.size * column.size, height * span(column.size)
            egress = total.message(outputs)
            moved = np.where(c > 1, window, height * column.size * columns.fresh)
            deep, across = row.count * column.count * (c - 1), row.count * (column.count - column.first)
            total.cycles += loops.k * total.steps(deep, total.busy(compute, window + area), egress)
            total.cycles += loops.k * total.steps(across, total.busy(compute, moved), egress)
            fetched = deep * (window + area) + across * moved
            if leads:
                down = row.count - row.first
                total.cycles += loops.k * total.steps(down, total.busy(compute, window), egress)
                fetched += down * window
            total.fetched = total.fetched + loops.k * fetched
            if leads and row.first.any():
                total.first(compute, window, area, outputs)
                total.cycles += total.steps(loops.k - 1, total.busy(compute, area), egress)
                total.fetched = total.fetched + window + loops.k * area
    products = loops.k * c * rows.outputs * columns.outputs
    total.output_writes = products
    total.partial_sums = total.operations = products * area
    total.level1_need = 2 * (2 * area + 1)


@dataclass(frozen=True)
class MappingEntry:
    """A dataflow mapping: its closed form, its description, and whether it was compared with outputs of MAESTRO."""

    evaluate: Callable[[Loops, FloatArray, StepSum], None]
    title: str
    checked: bool


MAPPINGS: Mapping[str, MappingEntry] = MappingProxyType(
    {
        "kcp_ws": MappingEntry(kcp_ws, "weight stationary, K over clusters of 64, C inside", checked=True),
        "ykp_os": MappingEntry(ykp_os, "output stationary, rows over clusters of 16, K inside", checked=True),
        "dpt": MappingEntry(dpt, "C over all elements; depthwise layers always run it", checked=True),
        "ykp_os_rows": MappingEntry(
            ykp_os_rows,
            "ykp_os, one output row per cluster whatever the stride (not checked against MAESTRO)",
            checked=False,
        ),
        "ykp_os_kept": MappingEntry(
            ykp_os_kept,
            "ykp_os, partial sums kept in the elements (a departure; not checked against MAESTRO)",
            checked=False,
        ),
        "yxp_os": MappingEntry(
            yxp_os,
            "output stationary in two dimensions, rows over clusters of 8, columns inside (not checked against MAESTRO)",
            checked=False,
        ),
    }
)
