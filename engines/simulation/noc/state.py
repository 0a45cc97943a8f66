"""Arrays with the complete state of a network between two cycles; a copy of them is a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engines.contract.arrays import IntArray
from engines.simulation.noc import columns as c
from engines.simulation.noc.ports import Ports, zeros
from engines.simulation.noc.topology import Chain, Link, Topology
from engines.simulation.noc.traffic import Traffic

# Tables in the order of `columns.AT_...`.
TABLES = (
    "clock", "sums", "histogram", "accepted", "streams", "threshold", "shares", "trace",
    "queue", "inbox", "log", "vc", "buffers", "out_vc", "source_vc", "inputs",
    "outputs", "routers", "asking", "sending", "route", "vc_range", "sources", "packets",
    "free", "flits", "flit_count", "credits", "credit_count", "chains", "members", "flows",
    "segments", "reserved", "ring_buffers", "ring_queues", "scratch", "scratch_inputs",
    "stages", "busy", "memory", "banks", "bank_queues", "passed",
)  # fmt: skip


class State:
    """One array of integers, `memory`, and its tables as views by name (see `columns`)."""

    def __init__(self, tables: Mapping[str, IntArray], sizes: Mapping[int, int]) -> None:
        starts = c.HEADER + np.cumsum([0, *(tables[name].size for name in TABLES)])
        self.memory = np.zeros(int(starts[-1]), dtype=np.int64)
        self.memory[: len(TABLES)] = starts[:-1]
        for place, size in sizes.items():
            self.memory[place] = size
        self._views: dict[str, IntArray] = {}
        for name, start in zip(TABLES, starts[:-1], strict=True):
            view = self.memory[start : start + tables[name].size].reshape(tables[name].shape)
            view[...] = tables[name]
            self._views[name] = view

    def __getitem__(self, name: str) -> IntArray:
        """Return a table; what is written there is written in the memory."""
        return self._views[name]


Work = tuple[Mapping[str, IntArray], Mapping[int, int]]
NO_WORK: Work = (
    {name: np.zeros(0, dtype=np.int64) for name in ("stages", "busy", "memory", "banks", "bank_queues")},
    {},
)


def new_state(
    topology: Topology, traffic: Traffic, seed: int, ordered: bool, log_rows: int, queue_rows: int, work: Work = NO_WORK
) -> State:
    """Return a network without packets at cycle 0.

    Args:
        topology: the network.
        traffic: what is sent; with `queue_rows`, only the size of its largest packet counts.
        seed: seed of the sources' streams.
        ordered: packets of a pair keep to one virtual channel each, so that they arrive in the order in which they were made.
        log_rows: number of logged steps of packets.
        queue_rows: queue rows of each terminal, how many packets of an application may wait; 0: packets come from the traffic.
        work: an application's tables and their sizes, see `application`.

    Raises:
        ValueError: a terminal offers more than a packet a cycle.
    """
    v, terminals, chains = topology.virtual_channels, topology.terminals, len(topology.chains)
    whole = max(topology.buffer_flits, traffic.packet_flits)
    ports = Ports(topology, whole)
    n_in, n_out = len(ports.inputs), len(ports.outputs)
    askers = int(ports.routers[:, c.R_INPUTS].max()) * v
    members = max([len(chain.members) for chain in topology.chains], default=0)
    mode = c.BY_QUEUE if queue_rows else c.BY_CHANCE if traffic.trace is None else c.BY_TRACE
    channels: tuple[Link | Chain, ...] = (*topology.links, *topology.chains)
    sizes = {
        c.CHANNELS: v,
        c.TERMINALS: terminals,
        c.ROUTERS: topology.routers,
        c.CHAINS: chains,
        c.DEPTH: int(ports.inputs[:, c.I_DEPTH].max()),
        c.SLOTS: 4 + max([topology.terminal_latency_cycles, *(one.latency_cycles for one in channels)]),
        c.AT_ONCE: n_in + n_out + terminals,
        c.ASKERS: askers,
        c.ALL_OUTPUTS_VC: n_out * v,
        c.RING_DEPTH: whole,
        c.MOST_MEMBERS: members,
        c.LOG_ROWS: log_rows,
        c.QUEUE_ROWS: queue_rows,
        c.INBOX_ROWS: 4 * terminals if queue_rows else 0,
        c.MODE: mode,
        c.PACKET_FLITS: traffic.packet_flits,
        c.FIRST_TERMINAL: n_in * v,
        c.FIRST_RING: (n_in + terminals) * v,
        c.FIRST_MEMBER: (n_in + terminals + chains) * v,
    }
    # At most so many packets are there at once: one flit each, in every buffer and on every channel, and one at each source.
    packets = (
        int(ports.inputs[:, c.I_DEPTH].sum()) * v + sizes[c.SLOTS] * sizes[c.AT_ONCE] + terminals + chains * v * whole
    )
    tables = {
        **_packet_tables(topology, traffic, seed, ordered, sizes),
        **_router_tables(ports, v, sizes, packets),
        **_ring_tables(topology, ports, v, members, whole),
        **work[0],
    }
    tables["sources"], tables["trace"] = _sources(topology, traffic, ports, mode)
    tables["clock"][c.FREE] = packets
    return State(tables, {**sizes, **work[1]})


def _packet_tables(
    topology: Topology, traffic: Traffic, seed: int, ordered: bool, sizes: Mapping[int, int]
) -> dict[str, IntArray]:
    terminals = topology.terminals
    streams = np.random.SeedSequence(seed).generate_state(terminals, np.uint64) | np.uint64(1)
    return {
        "clock": np.zeros(c.W_CLOCK, dtype=np.int64),
        "sums": _empty_sums(),
        "histogram": np.zeros(c.BINS, dtype=np.int64),
        "accepted": np.zeros(terminals, dtype=np.int64),
        "streams": streams.view(np.int64),
        "threshold": _threshold(traffic),
        "shares": _shares(traffic),
        "queue": zeros(terminals * max(1, sizes[c.QUEUE_ROWS]), c.W_QUEUE),
        "inbox": zeros(sizes[c.INBOX_ROWS], c.W_INBOX),
        "log": zeros(sizes[c.LOG_ROWS], c.W_LOG),
        "vc_range": _ranges(topology, ordered),
    }


def _router_tables(ports: Ports, v: int, sizes: Mapping[int, int], packets: int) -> dict[str, IntArray]:
    n_in, routers, slots = len(ports.inputs), len(ports.routers), sizes[c.SLOTS]
    most_out = int(ports.routers[:, c.R_OUTPUTS].max()) * v
    return {
        "vc": _virtual_channels(ports, v),
        "buffers": zeros(n_in * v, sizes[c.DEPTH]),
        "out_vc": zeros(len(ports.outputs) * v, c.W_OUT_VC, stamp=c.O_STAMP),
        "source_vc": zeros((ports.topology.terminals + sizes[c.CHAINS]) * v, c.W_SOURCE_VC),
        "inputs": ports.inputs,
        "outputs": ports.outputs,
        "routers": ports.routers,
        "asking": zeros(routers, sizes[c.ASKERS]),
        "sending": zeros(routers, sizes[c.ASKERS]),
        "route": ports.route(),
        "packets": zeros(packets, c.W_PACKET),
        "free": np.arange(packets, dtype=np.int64),
        "flits": zeros(slots * sizes[c.AT_ONCE], 2),
        "flit_count": np.zeros(slots, dtype=np.int64),
        "credits": zeros(slots, sizes[c.AT_ONCE]),
        "credit_count": np.zeros(slots, dtype=np.int64),
        "scratch": np.zeros(max(sizes[c.ASKERS], most_out), dtype=np.int64),
        "scratch_inputs": np.zeros(sizes[c.ASKERS], dtype=np.int64),
    }


def _ring_tables(topology: Topology, ports: Ports, v: int, members: int, whole: int) -> dict[str, IntArray]:
    chains = len(topology.chains)
    return {
        "chains": ports.chains(),
        "members": _members(topology, members),
        "flows": zeros(chains * (members + v), c.W_FLOW),
        "segments": zeros(chains, members + 1),
        "passed": zeros(chains, members + 1),
        "reserved": np.zeros(members + 1, dtype=np.int64),
        "ring_buffers": zeros(chains * v, whole),
        "ring_queues": zeros(chains * v, 2),
    }


def _empty_sums() -> IntArray:
    sums = np.zeros(c.W_SUMS, dtype=np.int64)
    sums[c.LEAST] = np.iinfo(np.int64).max
    return sums


def clear_sums(state: State) -> None:
    """Drop all statistics."""
    state["sums"][:] = _empty_sums()
    for part in (
        state["histogram"],
        state["accepted"],
        state["outputs"][:, c.P_FLITS],
        state["passed"],
    ):
        part[...] = 0


def _virtual_channels(ports: Ports, v: int) -> IntArray:
    table = zeros(len(ports.inputs) * v, c.W_VC, c.STAMP)
    port = np.repeat(np.arange(len(ports.inputs)), v)
    table[:, c.INPUT] = port
    table[:, c.LOCAL] = ports.inputs[port, c.I_LOCAL] * v + np.tile(np.arange(v), len(ports.inputs))
    return table


def _members(topology: Topology, most: int) -> IntArray:
    table = np.full((len(topology.chains), most), -1, dtype=np.int64)
    for number, chain in enumerate(topology.chains):
        table[number, : len(chain.members)] = chain.members
    return table


def _ranges(topology: Topology, ordered: bool) -> IntArray:
    """Return `terminals x terminals x 2`: first and last virtual channel of each pair."""
    home = np.array(topology.terminal_router)
    layers = int(topology.layers.max()) + 1
    layer = topology.layers[home[:, None], home[None, :]]
    low = layer * topology.virtual_channels // layers
    high = (layer + 1) * topology.virtual_channels // layers - 1
    if ordered:
        pair = np.arange(topology.terminals**2).reshape(low.shape)
        low = high = low + (pair + pair // topology.terminals) % (high - low + 1)
    return np.stack([low, high], axis=2).astype(np.int64)


def _sources(topology: Topology, traffic: Traffic, ports: Ports, mode: int) -> tuple[IntArray, IntArray]:
    table = zeros(topology.terminals, c.W_SOURCE)
    table[:, [c.S_PACKET, c.S_VC, c.S_LAST_VC]] = -1
    table[:, c.S_CHAIN] = topology.chain_of
    table[:, c.S_PLACE] = topology.place_in_chain
    table[:, c.S_LATENCY] = topology.terminal_latency_cycles
    table[:, c.S_PERIOD] = topology.terminal_cycles_per_flit
    for terminal in range(topology.terminals):
        table[terminal, c.S_INPUT] = ports.input_of[ports.door(terminal)]
        table[terminal, c.S_OUTPUT] = ports.output_of[ports.door(terminal)]
    if mode:
        table[:, c.S_TIME] = np.iinfo(np.int64).max
    trace = zeros(0, c.W_TRACE)
    if mode == 1 and traffic.trace is not None:
        trace = traffic.trace[np.argsort(traffic.trace[:, 1], kind="stable")]
        table[:, c.S_NEXT] = np.searchsorted(trace[:, 1], np.arange(topology.terminals), side="left")
        table[:, c.S_END] = np.searchsorted(trace[:, 1], np.arange(topology.terminals), side="right")
    return table, trace


def _threshold(traffic: Traffic) -> IntArray:
    """Return the chance of a packet in a cycle, in units of 2^-53."""
    chance = traffic.injection_rate / traffic.packet_flits
    if (chance > 1).any() and traffic.trace is None:
        raise ValueError(
            f"A terminal can offer {traffic.packet_flits} flits a cycle at most (a packet)."
            f" Got {float(traffic.injection_rate.max()):g} instead."
        )
    return np.floor(np.minimum(chance, 1) * 2.0**53).astype(np.int64)


def _shares(traffic: Traffic) -> IntArray:
    """Return `terminals x terminals`: of each source, the cumulated shares of the destinations in units of 2^-53."""
    total = traffic.rate_flits.cumsum(axis=1)
    last = np.where(total[:, -1:] > 0, total[:, -1:], 1.0)
    return np.floor(total / last * 2.0**53).astype(np.int64)
