"""A network as data: routers, channels between them, terminals, mini-chains and the table that says which channel comes next.

Cycles are the router's (goyal-2023 section 6.4.2: 2 GHz). A flit leaves a channel of latency c 1 + c cycles after entering it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engines.contract.arrays import IntArray
from engines.simulation.noc.deadlock import first_cycle


@dataclass(frozen=True)
class Link:
    """A channel from one router to another.

    Attributes:
        source: router it leaves.
        target: router it enters.
        latency_cycles: from 0 on; one for each end with SerDes besides the wire's.
        cycles_per_flit: cycles that a flit holds the channel: 1, or more for a channel narrower than a flit.
        length_mm: length in mm of the wire, for its energy.
    """

    source: int
    target: int
    latency_cycles: int = 1
    cycles_per_flit: int = 1
    length_mm: float = 2.0


@dataclass(frozen=True)
class Chain:
    """A mini-chain: a one-way ring from a router's port over chiplets back to it (goyal-2023 section 6.2.2).

    A packet that enters the hub is let onto the ring once its port has room for all of it, so that none ever stands still there.

    Attributes:
        router: whose port it hangs on.
        members: terminals in the order of the ring, the first one next to the port.
        handshake_cycles: to set the forward and receive bits before a packet.
        latency_cycles: latency in cycles of the ring's wires and SerDes: serialisation, wires, deserialisation are 1 + 2 cycles.
        cycles_per_flit: cycles that a flit holds the ring.
    """

    router: int
    members: tuple[int, ...]
    handshake_cycles: int = 1
    latency_cycles: int = 2
    cycles_per_flit: int = 1


@dataclass(frozen=True, eq=False)
class Topology:
    """A network. Routers and terminals are numbered from 0.

    Attributes:
        name: name on pages.
        routers: number of routers.
        links: channels; a number in `next_link` is a place here.
        terminal_router: of each terminal, the router it hangs on.
        next_link: `routers x routers`; the channel from a router towards another, -1 on the diagonal.
        layer: `routers x routers`; which share of the virtual channels a packet between two routers uses. Packets of a layer
            cannot wait for each other in a circle.
        chains: mini-chains; a terminal in none has a port of its own.
        virtual_channels: for each port (goyal-2023: 4).
        buffer_flits: buffer flits of each of them (goyal-2023: 4).
        terminal_latency_cycles: of the channels between a terminal's own port and the terminal.
        terminal_cycles_per_flit: cycles that a flit holds these channels.

    Raises:
        ValueError: what does not exist is named, routes that never arrive, channels that can wait for each other in a circle,
            chiplets that stand in two chains or twice in one.
    """

    name: str
    routers: int
    links: tuple[Link, ...]
    terminal_router: tuple[int, ...]
    next_link: IntArray
    layer: IntArray | None = None
    chains: tuple[Chain, ...] = ()
    virtual_channels: int = 4
    buffer_flits: int = 4
    terminal_latency_cycles: int = 1
    terminal_cycles_per_flit: int = 1
    places: tuple[tuple[float, float], ...] = field(default=())

    def __post_init__(self) -> None:
        self._check_numbers()
        self._check_chains()
        self._check_routes()
        circle = first_cycle(self.next_link, self.link_target, self.layers)
        if circle:
            raise ValueError(
                f"{self.name}: channels {circle} can wait for each other in a circle; the routes could deadlock."
            )

    @property
    def terminals(self) -> int:
        """How many chiplets (or cores) send and receive."""
        return len(self.terminal_router)

    @cached_property
    def link_source(self) -> IntArray:
        """Router that each link leaves."""
        return np.array([link.source for link in self.links], dtype=np.int64)

    @cached_property
    def link_target(self) -> IntArray:
        """Router that each link enters."""
        return np.array([link.target for link in self.links], dtype=np.int64)

    @cached_property
    def layers(self) -> IntArray:
        """`routers x routers`, zeros where no layers were given."""
        return np.zeros((self.routers, self.routers), dtype=np.int64) if self.layer is None else self.layer

    @cached_property
    def chain_of(self) -> IntArray:
        """Return the chain of each terminal, -1 for none."""
        found = np.full(self.terminals, -1, dtype=np.int64)
        for number, chain in enumerate(self.chains):
            found[list(chain.members)] = number
        return found

    @cached_property
    def place_in_chain(self) -> IntArray:
        """Return the place of each terminal in its chain from 1 on (0 is the hub's port), 0 for none."""
        found = np.zeros(self.terminals, dtype=np.int64)
        for chain in self.chains:
            found[list(chain.members)] = np.arange(1, len(chain.members) + 1)
        return found

    @cached_property
    def router_ports(self) -> IntArray:
        """Output ports of each router: links that leave, terminals of their own, chains."""
        own = np.array(self.terminal_router, dtype=np.int64)[self.chain_of < 0]
        chains = np.array([chain.router for chain in self.chains], dtype=np.int64)
        return np.bincount(np.concatenate([self.link_source, own, chains]), minlength=self.routers)

    def route(self, source: int, target: int) -> tuple[int, ...]:
        """Return the links on the path of a packet between two terminals; none if both share a router."""
        at, end, taken = self.terminal_router[source], self.terminal_router[target], []
        while at != end:
            taken.append(int(self.next_link[at, end]))
            at = self.links[taken[-1]].target
        return tuple(taken)

    def _check_numbers(self) -> None:
        if self.routers < 1 or not self.terminal_router:
            raise ValueError(f"{self.name}: a network has at least one router and one terminal.")
        for name in ("virtual_channels", "buffer_flits", "terminal_cycles_per_flit"):
            if getattr(self, name) < 1:
                raise ValueError(f"{self.name}: {name} must be at least 1. Got {getattr(self, name)} instead.")
        ends = [end for link in self.links for end in (link.source, link.target)]
        for end in (*ends, *self.terminal_router, *(chain.router for chain in self.chains)):
            if not 0 <= end < self.routers:
                raise ValueError(f"{self.name}: routers are 0 to {self.routers - 1}. Got {end} instead.")
        channels: tuple[Link | Chain, ...] = (*self.links, *self.chains)
        for link in channels:
            if link.latency_cycles < 0 or link.cycles_per_flit < 1:
                raise ValueError(
                    f"{self.name}: a channel takes 0 cycles or more, and 1 or more for each flit. Got {link}."
                )
        if self.layers.max(initial=0) >= self.virtual_channels:
            raise ValueError(
                f"{self.name}: {int(self.layers.max()) + 1} layers need as many virtual channels."
                f" Got {self.virtual_channels} instead."
            )

    def _check_chains(self) -> None:
        seen: set[int] = set()
        for chain in self.chains:
            for member in chain.members:
                if member in seen:
                    raise ValueError(
                        f"{self.name}: chiplet {member} appears twice in the chains; a chain must not have loops."
                    )
                if not 0 <= member < self.terminals or self.terminal_router[member] != chain.router:
                    raise ValueError(
                        f"{self.name}: chiplet {member} of a chain does not hang on router {chain.router}."
                    )
                seen.add(member)
            if not chain.members or chain.handshake_cycles < 0:
                raise ValueError(f"{self.name}: a chain has members and a handshake of 0 cycles or more. Got {chain}.")

    def _check_routes(self) -> None:
        if self.next_link.shape != (self.routers, self.routers):
            raise ValueError(f"{self.name}: next_link is routers x routers. Got {self.next_link.shape} instead.")
        at = np.repeat(np.arange(self.routers), self.routers)
        end = np.tile(np.arange(self.routers), self.routers)
        for _ in range(self.routers):
            at, end = at[at != end], end[at != end]
            if not len(at):
                return
            links = self.next_link[at, end]
            wrong = (links < 0) | (links >= len(self.links))
            if wrong.any() or (self.link_source[links] != at).any():
                raise ValueError(f"{self.name}: next_link names a channel that does not leave its router.")
            at = self.link_target[links]
        raise ValueError(f"{self.name}: a packet for router {int(end[0])} never arrives; its route has a loop.")
