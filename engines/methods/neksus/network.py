"""The network of a package: what a packet between two chiplets takes alone, and which channels it keeps busy for how long.

Latency without contention is that of `engines.simulation.noc.bounds`; loads are those of the same module, split by pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.neksus.design import PackageDesign
from engines.simulation.noc.bounds import pair_latency
from engines.simulation.noc.butter_donut import butter_donut
from engines.simulation.noc.networks import crossbar, flattened_butterfly, mesh, star, with_chains
from engines.simulation.noc.topology import Topology
from hardware.chiplet_system.model import ChipletSystem

_CONCENTRATION = 4


@dataclass(frozen=True)
class Use:
    """The resources that a packet from one chiplet to another uses.

    Attributes:
        channels: numbers of the channels that it takes, shape `c`.
        cycles: how long it keeps each of them busy, shape `c`.
        alone_cycles: until its last flit arrives, without others.
        routers: number of routers that its flits pass.
        hops: channels of the interposer between neighbouring chiplets.
        ends: number of SerDes ends that its bits pass.
    """

    channels: IntArray
    cycles: FloatArray
    alone_cycles: int
    routers: int
    hops: int
    ends: int


@dataclass(frozen=True, eq=False)
class PackageNetwork:
    """The network of a package; channels: links, ways in, ways out, segments of rings, ports of rings in and out."""

    topology: Topology

    @cached_property
    def channels(self) -> int:
        """How many there are."""
        one = self.topology
        return len(one.links) + 2 * one.terminals + sum(len(chain.members) + 3 for chain in one.chains)

    def channel_title(self, number: int) -> str:
        """Return the title of a channel."""
        one, links = self.topology, len(self.topology.links)
        if number < links:
            return f"Router {one.links[number].source} to {one.links[number].target}"
        number -= links
        if number < 2 * one.terminals:
            way = "Into the hub from" if number < one.terminals else "Out of the hub to"
            return f"{way} chiplet {number % one.terminals}"
        number -= 2 * one.terminals
        for place, chain in enumerate(one.chains):
            count = len(chain.members) + 1
            if number < count + 2:
                return f"Mini-chain {place}, {'segment ' + str(number) if number < count else 'port'}"
            number -= count + 2
        raise IndexError(number)

    def use(self, source: int, target: int, packet_flits: int) -> Use:
        """Return the resources that a packet uses between two different chiplets."""
        one = self.topology
        chain, place = one.chain_of, one.place_in_chain
        alone = int(_alone(self, packet_flits)[source, target])
        taken: list[tuple[int, float]] = []
        if chain[source] >= 0 and chain[source] == chain[target]:
            segments = self._ring(int(chain[source]), int(place[source]), int(place[target]), packet_flits)
            return _use(segments, alone, 0, len(segments), 2)
        hops = 0
        route = one.route(source, target)
        for end, begin, finish, way in ((source, int(place[source]), 0, 0), (target, 0, int(place[target]), 1)):
            if chain[end] >= 0:
                segments = self._ring(int(chain[end]), begin, finish, packet_flits)
                port = self._ring_start(int(chain[end])) + len(one.chains[chain[end]].members) + 1 + way
                taken += [*segments, (port, float(packet_flits))]
                hops += len(segments)
            else:
                own = len(one.links) + way * one.terminals + end
                taken.append((own, float(packet_flits * one.terminal_cycles_per_flit)))
                hops += 1
        taken += [(link, float(packet_flits * one.links[link].cycles_per_flit)) for link in route]
        return _use(taken, alone, len(route) + 1, hops, 4)

    def _ring(self, number: int, begin: int, end: int, packet_flits: int) -> list[tuple[int, float]]:
        """Return the segments from one place of a ring to another; place 0 is the hub's port, segment k begins at place k."""
        chain = self.topology.chains[number]
        count, start = len(chain.members) + 1, self._ring_start(number)
        held = float(chain.handshake_cycles + packet_flits * chain.cycles_per_flit)
        return [(start + (begin + step) % count, held) for step in range((end - begin) % count)]

    def _ring_start(self, number: int) -> int:
        one = self.topology
        return len(one.links) + 2 * one.terminals + sum(len(chain.members) + 3 for chain in one.chains[:number])


def _use(taken: list[tuple[int, float]], alone: int, routers: int, hops: int, ends: int) -> Use:
    numbers, cycles = zip(*taken, strict=True)
    return Use(np.array(numbers, dtype=np.int64), np.array(cycles), alone, routers, hops, ends)


@lru_cache(maxsize=256)
def _alone(network: PackageNetwork, packet_flits: int) -> IntArray:
    return pair_latency(network.topology, packet_flits)


def cycles_per_flit(system: ChipletSystem, design: PackageDesign) -> int:
    """Return the cycles that a flit holds a channel of the interposer, above 1 for narrow or heavily shared channels."""
    transfers = math.ceil(system.router.flit_bytes * 8 / design.channel_bits)
    per_wire = math.ceil(design.serdes_ratio * system.router.hz / system.channel.wire_bits_per_s - 1e-9)
    return transfers * max(1, per_wire)


def network_of(system: ChipletSystem, design: PackageDesign) -> PackageNetwork:
    """Return the network of a package; packages that differ in nothing else share it."""
    longest = design.chain_length + 1 if design.chain_length > 1 else 1
    wire_cycles = max(1, math.ceil(longest * system.channel.hop_s * system.router.hz - 1e-9))
    serdes_cycles = 2 * system.channel.serdes_cycles if design.serdes_ratio > 1 else 0
    router = (system.router.virtual_channels, system.router.buffer_flits)
    return _network(
        design.topology, len(design.chiplets), design.chain_length, wire_cycles + serdes_cycles,
        cycles_per_flit(system, design), router,
    )  # fmt: skip


@lru_cache(maxsize=512)
def _network(
    topology: str, chiplets: int, chain_length: int, channel_cycles: int, flit_cycles: int, router: tuple[int, int]
) -> PackageNetwork:
    chains = [list(range(first, min(first + chain_length, chiplets))) for first in range(0, chiplets, chain_length)]
    hub = replace(_hub(topology, len(chains)), virtual_channels=router[0], buffer_flits=router[1])
    if chain_length == 1:
        # A channel of latency c hands over 1 + c cycles after the flit entered it.
        return PackageNetwork(
            replace(hub, terminal_latency_cycles=channel_cycles, terminal_cycles_per_flit=flit_cycles)
        )
    chained = with_chains(hub, chains, latency_cycles=channel_cycles - 1)
    rings = tuple(replace(chain, cycles_per_flit=flit_cycles) for chain in chained.chains)
    return PackageNetwork(replace(chained, chains=rings))


def _hub(topology: str, ports: int) -> Topology:
    """Return the routers of the hub, with at least so many ports."""
    if topology == "crossbar":
        return crossbar(ports)
    if topology == "star":
        return star(ports, _CONCENTRATION)
    if topology == "concentrated-mesh":
        return mesh(*_near_square(-(-ports // _CONCENTRATION)), _CONCENTRATION)
    if topology == "butter-donut":
        return butter_donut(*(4 * math.ceil(side / 4) for side in _near_square(ports)))
    if topology == "flattened-butterfly":
        return flattened_butterfly(*_near_square(ports), 1)
    return mesh(*_near_square(ports))


def _near_square(count: int) -> tuple[int, int]:
    columns = math.isqrt(count - 1) + 1 if count > 1 else 1
    return columns, -(-count // columns)
