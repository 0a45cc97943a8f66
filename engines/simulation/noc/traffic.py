"""Traffic between terminals: rates between all pairs, or a list of packets with their times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.numeric.numbers import whole_number
from engines.simulation.noc.topology import Topology


@dataclass(frozen=True, eq=False)
class Traffic:
    """Packets between terminals.

    Attributes:
        name: name on pages.
        rate_flits: `terminals x terminals`, flits per cycle from one to another. A terminal starts a packet in a cycle with the
            chance (its rate / flits of a packet), independent of all else, and chooses whereto by the row's shares.
        packet_flits: of each packet, the head with it.
        trace: packets one by one, `n x 4`: cycle, source, destination, flits; rows in the order of the cycles. None: by the rates.
    """

    name: str
    rate_flits: FloatArray
    packet_flits: int
    trace: IntArray | None = None

    def __post_init__(self) -> None:
        rates = self.rate_flits
        if rates.ndim != 2 or rates.shape[0] != rates.shape[1]:
            raise ValueError(f"rate_flits must be terminals x terminals. Got {rates.shape} instead.")
        if not np.isfinite(rates).all() or (rates < 0).any():
            raise ValueError("rate_flits must be from 0 on and finite.")
        if self.trace is not None and self.trace.dtype.kind not in "iu":
            raise ValueError(f"trace must hold whole numbers. Got {self.trace.dtype} instead.")
        object.__setattr__(self, "packet_flits", _from_one("packet_flits", self.packet_flits))

    @property
    def terminals(self) -> int:
        """How many it speaks of."""
        return len(self.rate_flits)

    @property
    def injection_rate(self) -> FloatArray:
        """Return the flits per cycle that each terminal offers."""
        offered: FloatArray = self.rate_flits.sum(axis=1)
        return offered

    def scaled(self, factor: float) -> Traffic:
        """Return the same pattern, `factor` times as much; of rates alone.

        Raises:
            ValueError: of a trace, whose times are what they are.
        """
        if self.trace is not None:
            raise ValueError("A trace has its own times and cannot be scaled. Use traffic by rates instead.")
        return replace(self, rate_flits=self.rate_flits * factor)


def uniform(terminals: int, injection_rate: float, packet_flits: int = 4) -> Traffic:
    """Return every terminal sends to all, itself among them, alike (as BookSim's `uniform`).

    Args:
        terminals: from 1 on.
        injection_rate: flits per cycle of each terminal, as offered.
        packet_flits: of each packet.
    """
    terminals = _from_one("terminals", terminals)
    rates = np.full((terminals, terminals), injection_rate / terminals)
    return Traffic("uniform", rates, packet_flits)


def neighbour(terminals: int, injection_rate: float, packet_flits: int = 4) -> Traffic:
    """Return every terminal sends to the next one in number, the last one to the first."""
    terminals = _from_one("terminals", terminals)
    rates = np.zeros((terminals, terminals))
    rates[np.arange(terminals), (np.arange(terminals) + 1) % terminals] = injection_rate
    return Traffic("neighbour", rates, packet_flits)


def chained(chains: Sequence[Sequence[int]], terminals: int, injection_rate: float, packet_flits: int = 4) -> Traffic:
    """Add along each chain traffic from every terminal but the last to the next one (goyal-2023 section 6.5.2).

    Raises:
        ValueError: a terminal stands twice, so that the chains would have a loop, or is not there.
    """
    terminals = _from_one("terminals", terminals)
    rates = np.zeros((terminals, terminals))
    flat = [terminal for chain in chains for terminal in chain]
    if len(set(flat)) < len(flat):
        raise ValueError("A terminal appears twice in the chains; a chain must not have loops.")
    if flat and not 0 <= min(flat) <= max(flat) < terminals:
        raise ValueError(f"Terminals are 0 to {terminals - 1}. Got {sorted(flat)} instead.")
    for chain in chains:
        rates[list(chain[:-1]), list(chain[1:])] = injection_rate
    return Traffic("chained", rates, packet_flits)


def traced(packets: Sequence[tuple[int, int, int, int]], terminals: int) -> Traffic:
    """Return the packets one by one.

    Args:
        packets: (cycle, source, destination, flits) each, in any order.
        terminals: number of terminals.

    Raises:
        ValueError: no packet, a negative cycle, a terminal that is not there, a packet without flits, or no whole number.
    """
    terminals = _from_one("terminals", terminals)
    given = sorted(tuple(packet) for packet in packets)
    if not given:
        raise ValueError("A trace has at least one packet.")
    for packet in given:
        if len(packet) != 4 or any(whole_number(value) is None for value in packet):
            raise ValueError(
                f"A packet of a trace must be four whole numbers: cycle, source, destination, flits. Got {packet} instead."
            )
    rows = np.array(given, dtype=np.int64)
    cycle, source, target, flits = rows.T
    if (
        cycle.min() < 0
        or flits.min() < 1
        or min(source.min(), target.min()) < 0
        or max(source.max(), target.max()) >= terminals
    ):
        raise ValueError(
            f"Packets of a trace are (cycle from 0 on, source, destination, flits from 1 on), terminals 0 to {terminals - 1}."
        )
    pairs = np.bincount(source * terminals + target, weights=flits, minlength=terminals**2)
    rates = pairs.reshape(terminals, terminals) / (int(cycle.max()) + 1)
    return Traffic("trace", rates, int(flits.max()), trace=rows)


def _from_one(name: str, value: object) -> int:
    found = whole_number(value)
    if found is None or found < 1:
        raise ValueError(f"{name} must be a whole number from 1 on. Got {value} instead.")
    return found


def fitting(topology: Topology, traffic: Traffic) -> None:
    """Raise ValueError: the traffic is of another number of terminals."""
    if traffic.terminals != topology.terminals:
        raise ValueError(
            f"{topology.name} has {topology.terminals} terminals. Traffic for {traffic.terminals} was given instead."
        )
