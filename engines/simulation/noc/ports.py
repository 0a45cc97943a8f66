"""Inputs and outputs of routers, numbered, as rows of a simulation's tables."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import IntArray
from engines.simulation.noc import columns as c
from engines.simulation.noc.topology import Topology


def zeros(rows: int, columns: int, stamp: int | None = None) -> IntArray:
    """Return a table; its column `stamp` has -1, for no cycle yet."""
    table = np.zeros((rows, columns), dtype=np.int64)
    if stamp is not None:
        table[:, stamp] = -1
    return table


class Ports:
    """Inputs and outputs of all routers, router by router: links first, then terminals, then chains."""

    def __init__(self, topology: Topology, whole_packet: int) -> None:
        self.topology, self.whole_packet = topology, whole_packet
        links, chain_of = topology.links, topology.chain_of
        own = [terminal for terminal in range(topology.terminals) if chain_of[terminal] < 0]
        self.ins: list[tuple[str, int]] = []
        self.outs: list[tuple[str, int]] = []
        self.routers = zeros(topology.routers, c.W_ROUTER)
        where: list[tuple[int, int]] = []
        out_where: list[tuple[int, int]] = []
        for router in range(topology.routers):
            doors = [("terminal", one) for one in own if topology.terminal_router[one] == router]
            doors += [("chain", number) for number, chain in enumerate(topology.chains) if chain.router == router]
            ins = [("link", number) for number, link in enumerate(links) if link.target == router] + doors
            outs = [("link", number) for number, link in enumerate(links) if link.source == router] + doors
            where += [(router, local) for local in range(len(ins))]
            out_where += [(router, local) for local in range(len(outs))]
            self.ins += ins
            self.outs += outs
            self.routers[router, [c.R_INPUTS, c.R_OUTPUTS]] = len(ins), len(outs)
        self.input_of = {door: number for number, door in enumerate(self.ins)}
        self.output_of = {door: number for number, door in enumerate(self.outs)}
        self.inputs, self.outputs = (
            zeros(len(self.ins), c.W_INPUT, c.I_STAMP),
            zeros(len(self.outs), c.W_OUTPUT, c.P_STAMP),
        )
        self.inputs[:, [c.I_ROUTER, c.I_LOCAL]] = where
        self.outputs[:, [c.P_ROUTER, c.P_LOCAL]] = out_where
        self._fill()

    def _fill(self) -> None:
        v, terminals = self.topology.virtual_channels, self.topology.terminals
        for number, (kind, of) in enumerate(self.ins):
            home = {
                "link": self.output_of.get(("link", of), 0),
                "terminal": len(self.outs) + of,
                "chain": len(self.outs) + terminals + of,
            }
            depth = self.whole_packet if kind == "chain" else self.topology.buffer_flits
            latency, _ = self._channel(kind, of)
            self.inputs[number, [c.I_CREDIT, c.I_LATENCY, c.I_DEPTH]] = home[kind] * v, latency, depth
        for number, (kind, of) in enumerate(self.outs):
            to = {
                "link": self.input_of.get(("link", of), 0),
                "terminal": len(self.ins) + of,
                "chain": len(self.ins) + terminals + of,
            }
            depth = self.whole_packet if kind == "chain" else self.topology.buffer_flits
            # The hub's side of a ring stands next to the router.
            latency, period = (0, 1) if kind == "chain" else self._channel(kind, of)
            self.outputs[number, [c.P_TARGET, c.P_LATENCY, c.P_PERIOD, c.P_DEPTH]] = (
                to[kind] * v,
                latency,
                period,
                depth,
            )

    def _channel(self, kind: str, of: int) -> tuple[int, int]:
        if kind == "terminal":
            return self.topology.terminal_latency_cycles, self.topology.terminal_cycles_per_flit
        one = self.topology.links[of] if kind == "link" else self.topology.chains[of]
        return one.latency_cycles, one.cycles_per_flit

    def door(self, terminal: int) -> tuple[str, int]:
        """Return the port over which a terminal is reached."""
        chain = int(self.topology.chain_of[terminal])
        return ("terminal", terminal) if chain < 0 else ("chain", chain)

    def route(self) -> IntArray:
        """Return `routers x terminals`: output towards each terminal."""
        out_of_link = np.array([self.output_of["link", number] for number in range(len(self.topology.links))] or [0])
        doors = np.array([self.output_of[self.door(terminal)] for terminal in range(self.topology.terminals)])
        home = np.array(self.topology.terminal_router)
        table = out_of_link[self.topology.next_link[:, home]]
        here = np.arange(self.topology.routers)[:, None] == home[None, :]
        return np.where(here, doors[None, :], table).astype(np.int64)

    def chains(self) -> IntArray:
        """Return the rows of the mini-chains."""
        table = zeros(len(self.topology.chains), c.W_CHAIN)
        for number, chain in enumerate(self.topology.chains):
            table[number, c.C_INPUT] = self.input_of["chain", number]
            table[number, c.C_OUTPUT] = self.output_of["chain", number]
            table[number, c.C_MEMBERS] = len(chain.members)
            table[number, c.C_SHAKE] = chain.handshake_cycles
            table[number, c.C_LATENCY] = chain.latency_cycles
            table[number, c.C_PERIOD] = chain.cycles_per_flit
            table[number, c.C_LAST_VC] = -1
        return table
