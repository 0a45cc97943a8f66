"""MOSAIC (Han et al., PACT 2019) as karatzas-2024 describes it: linear regression, each network by itself, CPU and GPU.

Latency of a layer on a unit is a straight line in its products and bytes, fitted to the layers of the mix at the highest clocks.
Every network gets the cut, and the units before and after it, with the least predicted latency, transfer included, as if nothing
else ran: that is what crowds the GPU. Clocks are lowered evenly until the power limit is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.numeric.ordered_sums import product_in_order
from engines.methods.mapformer.managers.manager import Manager, Round, Task
from engines.methods.mapformer.problem.space import at_even_clocks
from engines.simulation.board import Mappings


class MosaicManager(Manager):
    """One mapping at even clocks."""

    @property
    def rounds(self) -> int:
        """All clocks at once."""
        return 1

    def round(self, number: int, state: Mapping[str, Any]) -> Round:
        """Return the round with cuts by the regression."""
        task = self.task
        lines = {unit: _line(task, unit) for unit in task.units_of("cpu", "gpu")}
        chosen = [
            min(two_parts(task, network, lines), key=lambda way: sum(way[2].values()) + way[3])
            for network in range(task.space.networks)
        ]
        return self.tried(at_even_clocks(task.space, put_together(task, [(cut, units) for cut, units, *_ in chosen])))


def two_parts(
    task: Task, network: int, predicted_s: Mapping[int, list[FloatArray]]
) -> list[tuple[int, tuple[int, int], dict[int, float], float]]:
    """Return the ways to run a network in at most two parts: cut, units, predicted seconds by unit, and of the transfer."""
    board, layers = task.board, int(task.board.layers[network])
    sums = {unit: np.concatenate([[0.0], times[network].cumsum()]) for unit, times in predicted_s.items()}
    found = []
    for first, second in product(sums, repeat=2):
        cuts = [layers] if first == second else range(1, layers) if task.space.segments > 1 else ()
        for cut in cuts:
            if board.reach[network, first, 0] < cut or (cut < layers and board.reach[network, second, cut] < layers):
                continue
            parts = {first: float(sums[first][cut])}
            handed = 0.0
            if cut < layers:
                parts[second] = float(sums[second][-1] - sums[second][cut])
                handed = float(board.hand_over_s[network, cut])
            found.append((cut, (first, second), parts, handed))
    return found


def put_together(task: Task, chosen: list[tuple[int, tuple[int, int]]]) -> Mappings:
    """Return the mapping of these cuts and units, at the highest clocks."""
    ends = np.repeat(task.board.layers[None, :, None], task.space.segments, axis=2)
    units = np.zeros_like(ends)
    for network, (cut, (first, second)) in enumerate(chosen):
        ends[0, network, 0] = cut
        units[0, network] = second
        units[0, network, 0] = first
    return task.space.tidied(Mappings(ends, units, task.space.counts[None].copy()))


def _line(task: Task, unit: int) -> list[FloatArray]:
    """Return the predicted latency of every layer of each network on a unit, at least 0."""
    features = [
        np.stack([np.ones(network.layers), macs, network.moved_bytes], axis=1)
        for network, macs in zip(task.board.networks, task.macs, strict=True)
    ]
    measured = [network.latency_s[unit][:, -1] for network in task.board.networks]
    known, values = np.concatenate(features), np.concatenate(measured)
    finite = np.isfinite(values)
    scale = np.maximum(known.max(axis=0), 1.0)
    weights = np.linalg.lstsq(known[finite] / scale, values[finite], rcond=None)[0]
    return [np.maximum(product_in_order(each / scale, weights), 0.0) for each in features]
