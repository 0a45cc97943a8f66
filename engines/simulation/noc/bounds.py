"""Bounds of a network without simulation: latency without contention, and the load of every channel.

Router (see docs/network-simulation.md): a head flit asks for a virtual channel in the cycle it arrives, for the switch in the
next one and crosses in the third, so it reaches the next router 3 + c cycles after this one over a channel of latency c.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import Traffic, fitting

_ROUTER_CYCLES = 3  # virtual channel, switch, crossing


@dataclass(frozen=True, eq=False)
class ChannelLoad:
    """Flits per cycle, as offered, divided by what a channel can carry: 1 is a channel that is always busy.

    Attributes:
        links: links as in `Topology.links`.
        injection: from each terminal with a port of its own into its router (chiplets of chains: 0).
        ejection: from its router to each such terminal.
        chains: of each mini-chain, the busiest of the ring's segments, the handshakes included.
        ports: ports of each mini-chain, the busier of the two directions of its port.
    """

    links: FloatArray
    injection: FloatArray
    ejection: FloatArray
    chains: FloatArray
    ports: FloatArray

    @cached_property
    def busiest(self) -> float:
        """The highest of all."""
        parts = (self.links, self.injection, self.ejection, self.chains, self.ports)
        return max(float(part.max(initial=0.0)) for part in parts)

    @property
    def saturation_factor(self) -> float:
        """By how much the traffic could grow until a channel is always busy: an upper bound of what the network accepts."""
        return np.inf if self.busiest == 0 else 1 / self.busiest


def pair_latency(topology: Topology, packet_flits: int) -> IntArray:
    """Return the cycles of one packet alone, from when it is made until its last flit arrives; `terminals x terminals`.

    Without chains and with 1-cycle channels this is 4 H + 2 + (P - 1) + floor((P - 1) / 4) for H routers and P flits.
    """
    routers = _router_latency(topology)
    lag = _lag_between_routers(topology, packet_flits)
    home = np.array(topology.terminal_router, dtype=np.int64)
    chain, place = topology.chain_of, topology.place_in_chain
    ring = np.array([one.latency_cycles for one in topology.chains] + [0], dtype=np.int64)
    shake = np.array([one.handshake_cycles for one in topology.chains] + [0], dtype=np.int64)
    slow = np.array([one.cycles_per_flit for one in topology.chains] + [1], dtype=np.int64)
    own = topology.terminal_latency_cycles
    enter = np.where(chain >= 0, shake[chain] + 1 + ring[chain], 1 + own)
    # A packet for a chain first goes to the hub's side of the ring, next to the router, and waits for its handshake there.
    leave = np.where(chain >= 0, _ROUTER_CYCLES - 1 + 1 + shake[chain] + 1 + ring[chain], _ROUTER_CYCLES + own)
    head = enter[:, None] + routers[home[:, None], home[None, :]] + leave[None, :]
    ends = np.where(chain >= 0, (packet_flits - 1) * slow[chain], _terminal_lag(topology, packet_flits))
    # What the last flit fell behind on the way, it makes up for while the head waits for the handshake of the last ring.
    behind = lag[home[:, None], home[None, :]] - np.where(chain >= 0, shake[chain], 0)[None, :]
    tail = np.maximum(np.maximum(ends[:, None], ends[None, :]), behind)
    total = head + tail
    within = (chain[:, None] >= 0) & (chain[:, None] == chain[None, :]) & (place[:, None] != place[None, :])
    direct = shake[chain] + 1 + ring[chain] + (packet_flits - 1) * slow[chain]
    return np.where(within, direct[:, None], total)


def zero_load_latency(topology: Topology, traffic: Traffic) -> float:
    """Return the mean cycles of a packet without contention, over the traffic's pairs; a lower bound at every load.

    Raises:
        ValueError: traffic for another number of terminals, or none at all.
    """
    fitting(topology, traffic)
    total = float(traffic.rate_flits.sum())
    if total == 0:
        raise ValueError("The traffic has no packets.")
    return float((traffic.rate_flits * pair_latency(topology, traffic.packet_flits)).sum()) / total


def channel_load(topology: Topology, traffic: Traffic) -> ChannelLoad:
    """Return the load of every channel under the offered traffic, as a share of its capacity.

    Raises:
        ValueError: traffic for another number of terminals.
    """
    fitting(topology, traffic)
    chain = topology.chain_of
    rates = traffic.rate_flits
    inside = (chain[:, None] >= 0) & (chain[:, None] == chain[None, :]) & ~np.eye(len(chain), dtype=bool)
    outside = np.where(inside, 0.0, rates)
    own = chain < 0
    slow = topology.terminal_cycles_per_flit
    sent, got = outside.sum(axis=1), outside.sum(axis=0)
    rings = [
        _ring_load(topology, number, rates, outside, traffic.packet_flits) for number in range(len(topology.chains))
    ]
    ports = [max(sent[list(one.members)].sum(), got[list(one.members)].sum()) for one in topology.chains]
    return ChannelLoad(
        _link_load(topology, outside),
        np.where(own, sent * slow, 0.0),
        np.where(own, got * slow, 0.0),
        np.array(rings, dtype=np.float64),
        np.array(ports, dtype=np.float64),
    )


def _router_pairs(topology: Topology, rates: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Start and end router of all pairs with traffic, and their flits per cycle."""
    home = np.array(topology.terminal_router, dtype=np.int64)
    pair = (home[:, None] * topology.routers + home[None, :]).ravel()
    weight = np.bincount(pair, weights=rates.ravel(), minlength=topology.routers**2).astype(np.float64)
    used = np.nonzero(weight)[0].astype(np.int64)
    return used // topology.routers, used % topology.routers, weight[used]


def _link_load(topology: Topology, rates: FloatArray) -> FloatArray:
    at, end, weight = _router_pairs(topology, rates)
    load = np.zeros(len(topology.links))
    while len(at):
        going = at != end
        at, end, weight = at[going], end[going], weight[going]
        links = topology.next_link[at, end]
        load += np.bincount(links, weights=weight, minlength=len(load))
        at = topology.link_target[links]
    return load * np.array([link.cycles_per_flit for link in topology.links], dtype=np.float64)


def _ring_load(topology: Topology, number: int, rates: FloatArray, outside: FloatArray, packet_flits: int) -> float:
    """Return the busiest segment of a ring: flows hold all segments between their ends, from the handshake to the last flit."""
    chain = topology.chains[number]
    count = len(chain.members) + 1
    segments = np.zeros(count)
    for place, member in enumerate(chain.members, start=1):
        segments[place:] += outside[member].sum()
        segments[:place] += outside[:, member].sum()
        for other, target in enumerate(chain.members, start=1):
            if other > place:
                segments[place:other] += rates[member, target]
            elif other < place:
                segments[place:] += rates[member, target]
                segments[:other] += rates[member, target]
    held = chain.handshake_cycles + packet_flits * chain.cycles_per_flit
    return float(segments.max()) * held / packet_flits


def _router_latency(topology: Topology) -> IntArray:
    """Return the cycles of a head flit from its arrival at one router to its arrival at another, `routers x routers`."""
    per_link = np.array([_ROUTER_CYCLES + link.latency_cycles for link in topology.links], dtype=np.int64)
    return _along_routes(topology, per_link, np.add)


def _lag_between_routers(topology: Topology, packet_flits: int) -> IntArray:
    """Return the cycles of the last flit behind the first over the slowest link of each route, `routers x routers`."""
    lags = [_lag(topology, packet_flits, link.latency_cycles, link.cycles_per_flit) for link in topology.links]
    return _along_routes(topology, np.array(lags, dtype=np.int64), np.maximum)


def _along_routes(topology: Topology, value: IntArray, fold: np.ufunc) -> IntArray:
    routers = topology.routers
    start = np.arange(routers**2)
    at, end = start // routers, start % routers
    total = np.zeros(routers**2, dtype=np.int64)
    while len(start):
        going = at != end
        start, at, end = start[going], at[going], end[going]
        links = topology.next_link[at, end]
        total[start] = fold(total[start], value[links])
        at = topology.link_target[links]
    return total.reshape(routers, routers)


def _lag(topology: Topology, packet_flits: int, latency_cycles: int, cycles_per_flit: int) -> int:
    """Return the rate by credits: one is back 3 + 2 c cycles after its flit took the switch; with fewer buffers packets pause."""
    pause = max(0, 3 + 2 * latency_cycles - topology.buffer_flits * cycles_per_flit)
    return (packet_flits - 1) * cycles_per_flit + (packet_flits - 1) // topology.buffer_flits * pause


def _terminal_lag(topology: Topology, packet_flits: int) -> int:
    return _lag(topology, packet_flits, topology.terminal_latency_cycles, topology.terminal_cycles_per_flit)
