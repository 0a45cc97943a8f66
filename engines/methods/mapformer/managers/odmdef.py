"""ODMDEF (Lim and Kim, IEEE Access 2021) as karatzas-2024 describes it: k nearest layers, CPU and GPU, throughput alone.

Latency of a layer on a unit is the mean over the `NEIGHBOURS` layers of the mix that are most like it in products and bytes (in
logarithms), itself left out. Networks are placed one after the other, each in one part or two, where the unit with most to do has
least to do then. Clocks are lowered evenly until the power limit is kept, as power is no part of its model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.mapformer.managers.manager import Manager, Round, Task
from engines.methods.mapformer.managers.mosaic import put_together, two_parts
from engines.methods.mapformer.problem.space import at_even_clocks

NEIGHBOURS = 5


class OdmdefManager(Manager):
    """One mapping at even clocks."""

    @property
    def rounds(self) -> int:
        """All clocks at once."""
        return 1

    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Return the networks one after the other."""
        task = self.task
        predicted = {unit: _neighbours(task, unit) for unit in task.units_of("cpu", "gpu")}
        load = dict.fromkeys(predicted, 0.0)
        chosen = []
        for network in range(task.space.networks):
            ways = two_parts(task, network, predicted)

            def most(way: tuple[int, tuple[int, int], dict[int, float], float]) -> tuple[float, float]:
                after = {unit: load[unit] + way[2].get(unit, 0.0) for unit in load}
                return max(after.values()) + way[3], sum(after.values())

            cut, units, parts, _ = min(ways, key=most)
            for unit, seconds in parts.items():
                load[unit] += seconds
            chosen.append((cut, units))
        return self.tried(at_even_clocks(task.space, put_together(task, chosen)))


def _neighbours(task: Task, unit: int) -> list[FloatArray]:
    """Return the predicted latency of every layer of each network on a unit."""
    from sklearn.neighbors import NearestNeighbors  # costs half a second, which other managers never need

    work = [
        np.log1p(np.stack([macs, network.moved_bytes], axis=1))
        for network, macs in zip(task.board.networks, task.macs, strict=True)
    ]
    known = np.concatenate(work)
    values = np.concatenate([network.latency_s[unit][:, -1] for network in task.board.networks])
    finite = np.flatnonzero(np.isfinite(values))
    count = min(NEIGHBOURS + 1, len(finite))
    places = NearestNeighbors(n_neighbors=count).fit(known[finite]).kneighbors(known, return_distance=False)
    numbers = finite[places]
    others = numbers != np.arange(len(known))[:, None]
    predicted = (values[numbers] * others).sum(axis=1) / np.maximum(others.sum(axis=1), 1)
    return np.split(predicted, np.cumsum([len(each) for each in work])[:-1])
