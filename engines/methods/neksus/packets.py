"""Packets of the simulated package as a picture moves them: when each was made, when it was in, and which links it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engines.contract.results import NetworkPackets
from engines.methods.neksus.closed_loop import ChainRun
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import NeksusInstance
from engines.simulation.noc.application import errands

_MADE, _ARRIVED = -1, -2
_MOST = 2000  # packets of a case, for a page that stays light


def routes_of(design: PackageDesign) -> Mapping[tuple[int, int], tuple[int, ...]]:
    """Return the links between each pair of chiplets: along a ring, or out of it, through the hub and in again."""
    first, found = 0, dict[tuple[int, int], tuple[int, ...]]()
    places: dict[
        int, tuple[int, int, int]
    ] = {}  # chiplet -> first link of its ring, place on it from 1 on, chiplets of it
    for members in design.chains:
        for place, chiplet in enumerate(members, 1):
            places[chiplet] = (first, place, len(members))
        first += len(members) + 1
    for source, (ring, place, length) in places.items():
        for target, (other, end, _) in places.items():
            if source == target:
                continue
            if ring == other and place < end:
                found[source, target] = tuple(range(ring + place, ring + end))
            else:
                found[source, target] = (*range(ring + place, ring + length + 1), *range(other, other + end))
    return found


def packets_of(
    instance: NeksusInstance, run: ChainRun, pairs: Sequence[tuple[int, int]], cycles: float
) -> NetworkPackets:
    """Return packets made in the first `cycles` that count and arrived while the log was kept, the earliest `_MOST`.

    Args:
        instance: with the chains that packets belong to.
        run: with its log.
        pairs: source and target of each route.
        cycles: cycles of the router.
    """
    steps, hz = run.outcome.steps, instance.system.router.hz
    made = {int(row[1]): int(row[0]) for row in steps[steps[:, 4] == _MADE]}
    chain_of = [number for number, chain in enumerate(instance.chains) for _ in chain.blocks]
    number_of = {pair: number for number, pair in enumerate(pairs)}
    arrived = steps[steps[:, 4] == _ARRIVED]
    rows = []
    for row, stage in zip(arrived.tolist(), errands(arrived)[1].tolist(), strict=True):
        start = made.get(row[1], run.settled) - run.settled
        route = number_of.get((row[2], row[3]))
        if route is not None and start < cycles:
            rows.append((start, row[0] - run.settled, route, chain_of[stage]))
    kept = np.array(sorted(rows)[:_MOST], dtype=np.int64).reshape(-1, 4)
    return NetworkPackets(kept[:, 0] / hz, kept[:, 1] / hz, kept[:, 2], kept[:, 3])
