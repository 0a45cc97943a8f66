"""ButterDonut: meshes within chiplets, and between these a network in the interposer.

Our reading of Kannan, Enright Jerger and Loh (MICRO 2015), which goyal-2023 names without drawing it: the columns of the
interposer's routers are shifted by one core ("misaligned"), so that some serve two chiplets. Along its rows run folded rings; along
its columns folded rings that cross over in pairs of columns, as in a butterfly. Cores of one chiplet use the mesh, others go up,
over the interposer by the shortest way, and down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import IntArray
from engines.simulation.noc.deadlock import layered
from engines.simulation.noc.topology import Link, Topology

_MOST_LAYERS = 4  # each has a virtual channel of its own


@dataclass(frozen=True)
class _Shape:
    columns: int
    rows: int

    @property
    def cores(self) -> int:
        return self.columns * self.rows

    @property
    def across(self) -> int:
        return self.columns // 2 + 1

    @property
    def down(self) -> int:
        return self.rows // 2

    def above(self, core: int) -> int:
        """Return the interposer's router over a core, numbered after the cores."""
        column, row = core % self.columns, core // self.columns
        return self.cores + row // 2 * self.across + (column + 1) // 2

    def chiplet(self, core: int) -> tuple[int, int]:
        return core % self.columns // (self.columns // 2), core // self.columns // (self.rows // 2)

    def same_chiplet(self, first: int, second: int) -> bool:
        return max(first, second) < self.cores and self.chiplet(first) == self.chiplet(second)


def butter_donut(columns: int = 8, rows: int = 8) -> Topology:
    """Return four chiplets of cores, `columns x rows` cores together, one terminal on each core.

    Raises:
        ValueError: `columns` or `rows` is no multiple of 4.
    """
    if columns % 4 or rows % 4 or min(columns, rows) < 4:
        raise ValueError(f"The cores of ButterDonut are in multiples of 4 each way. Got {columns} x {rows} instead.")
    shape = _Shape(columns, rows)
    within = _mesh_pairs(shape)
    vertical = [pair for core in range(shape.cores) for pair in ((core, shape.above(core)), (shape.above(core), core))]
    interposer = interposer_pairs(shape.across, shape.down)
    hops, layer = shortest(shape.across * shape.down, interposer)
    pairs = [*within, *vertical, *((shape.cores + first, shape.cores + second) for first, second in interposer)]
    number = {pair: place for place, pair in enumerate(pairs)}
    routers = shape.cores + shape.across * shape.down
    next_link = np.full((routers, routers), -1, dtype=np.int64)
    for at in range(routers):
        for end in range(routers):
            if at != end:
                next_link[at, end] = number[at, _next_router(shape, hops, at, end)]
    over = (
        np.array([shape.above(core) for core in range(shape.cores)] + list(range(shape.cores, routers))) - shape.cores
    )
    return Topology(
        "ButterDonut, misaligned",
        routers,
        tuple(Link(first, second, length_mm=_length_mm(shape, first, second)) for first, second in pairs),
        tuple(range(shape.cores)),
        next_link,
        layer=layer[over[:, None], over[None, :]],
        places=_places(shape),
    )


def interposer_pairs(across: int, down: int) -> list[tuple[int, int]]:
    """Return the links of the interposer's routers, numbered along the rows, both ways."""
    pairs: set[tuple[int, int]] = set()
    for row in range(down):
        pairs |= {(row * across + first, row * across + second) for first, second in _folded(across)}
    for first, second in _folded(down):
        for column in range(across):
            partner = column ^ 1 if second - first == 2 and (column ^ 1) < across else column
            pairs.add((first * across + column, second * across + partner))
    return sorted(pairs | {(second, first) for first, second in pairs})


def shortest(routers: int, pairs: Sequence[tuple[int, int]]) -> tuple[IntArray, IntArray]:
    """Return next router on a shortest way (of several, the lowest number) and layers without circles, each `routers x routers`."""
    distance = np.full((routers, routers), routers, dtype=np.int64)
    np.fill_diagonal(distance, 0)
    for first, second in pairs:
        distance[first, second] = 1
    for middle in range(routers):
        distance = np.minimum(distance, distance[:, middle, None] + distance[None, middle, :])
    link = np.full((routers, routers), -1, dtype=np.int64)
    for number in reversed(range(len(pairs))):
        first, second = pairs[number]
        nearer = (distance[second] + 1 == distance[first]) & (np.arange(routers) != first)
        link[first, nearer] = number
    targets = np.array([second for _, second in pairs], dtype=np.int64)
    return np.where(link < 0, -1, targets[link]), layered(link, targets, _MOST_LAYERS)


def _folded(count: int) -> list[tuple[int, int]]:
    """Return a ring laid flat: everyone is linked to the one after the next, the ends to their neighbours."""
    ends = {(0, 1), (count - 2, count - 1)}
    return sorted(ends | {(place, place + 2) for place in range(count - 2)})


def _mesh_pairs(shape: _Shape) -> list[tuple[int, int]]:
    near = [(core, core + step) for core in range(shape.cores) for step in (1, shape.columns)]
    inside = [(one, two) for one, two in near if two < shape.cores and shape.same_chiplet(one, two)]
    return [pair for one, two in inside for pair in ((one, two), (two, one))]


def _next_router(shape: _Shape, hops: IntArray, at: int, end: int) -> int:
    if shape.same_chiplet(at, end):
        column, to = at % shape.columns, end % shape.columns
        if column != to:
            return at + (1 if to > column else -1)
        return at + (shape.columns if end > at else -shape.columns)
    if at < shape.cores:
        return shape.above(at)
    target = end if end >= shape.cores else shape.above(end)
    if at == target:
        return end
    return shape.cores + int(hops[at - shape.cores, target - shape.cores])


def _length_mm(shape: _Shape, first: int, second: int) -> float:
    """Return 2 mm between neighbouring cores; the interposer's routers are twice as far apart; half a millimetre up or down."""
    if (first < shape.cores) != (second < shape.cores):
        return 0.5
    if first < shape.cores:
        return 2.0
    one, two = first - shape.cores, second - shape.cores
    return 4.0 * (abs(one % shape.across - two % shape.across) + abs(one // shape.across - two // shape.across))


def _places(shape: _Shape) -> tuple[tuple[float, float], ...]:
    cores = [(float(core % shape.columns), float(core // shape.columns)) for core in range(shape.cores)]
    over = [(2.0 * column - 0.5, 2.0 * row + 0.5) for row in range(shape.down) for column in range(shape.across)]
    return tuple(cores + over)
