"""Performance of applications on a package: time of a frame, costs, load of channels.

Blocks hand frames on in three ways (goyal-2023 sections 6.2.3 and 6.5.3):

- via memory: a block writes its whole frame to memory, then the next one reads it; blocks work one after the other,
- via buffer: subframes go through the memory controller's buffer, not to memory; blocks work at the same time,
- block to block: subframes go to the next block directly; blocks work at the same time.

Analytic, so that packages can be searched: a transfer gets what other transfers leave of each of its channels at the frames that
are asked for, or its share of them where more is asked for than there is, and takes the slowest; to that comes one piece's latency
without contention. Queues are not in it; `engines.simulation.noc` is about cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.network import PackageNetwork, Use, network_of
from hardware.chiplet_system.model import ApplicationChain, ChipletSystem

ENERGY_PARTS = ("Blocks", "Wires", "SerDes", "Routers", "Memory", "Always on")
_BITS = 8


@dataclass(frozen=True)
class Leg:
    """A way over the network that a frame takes between two chiplets.

    Attributes:
        source, target: blocks.
        ends: the numbers of their chiplets.
        bytes_moved: bytes moved of a frame.
        frames_per_s: requested frame rate.
        memory: whether memory is written or read at one of its ends.
        use: resources of the network that one packet uses; None within a chiplet.
        packet_bytes: payload of a packet.
        packet_flits: with its head.
    """

    source: str
    target: str
    ends: tuple[int, int]
    bytes_moved: float
    frames_per_s: float
    memory: bool
    use: Use | None
    packet_bytes: int
    packet_flits: int

    @property
    def packets_per_s(self) -> float:
        """Return the packets per second that are requested."""
        return self.bytes_moved * self.frames_per_s / self.packet_bytes


@dataclass(frozen=True, eq=False)
class ChainTiming:
    """A frame of a chain.

    Attributes:
        compute_s: compute in seconds of each of the `b` blocks, which other chains may keep busy too, shape `b`.
        transfer_s: time of each transfer with all its legs, shape `b - 1`.
        leg_s: time of each leg of each transfer.
        latency_s: latency in seconds of the frame.
        active_s: time in which each block works for it, shape `b`.
        on_time: share of frames that keep the deadline.
    """

    chain: ApplicationChain
    compute_s: FloatArray
    transfer_s: FloatArray
    leg_s: tuple[tuple[float, ...], ...]
    latency_s: float
    active_s: FloatArray
    on_time: float


@dataclass(frozen=True, eq=False)
class Traffic:
    """The traffic of applications on a package.

    Attributes:
        legs: legs of every transfer of every chain.
        loads: share of time that each channel is busy at the frames asked for, shape `c`.
        memory_load: likewise of the memory.
        chains: timing of each chain.
        energy_w: energy in watts of each of `ENERGY_PARTS`.
        bits_per_s: rate of the transfers between blocks.
    """

    network: PackageNetwork
    legs: tuple[tuple[tuple[Leg, ...], ...], ...]
    loads: FloatArray
    memory_load: float
    chains: tuple[ChainTiming, ...]
    energy_w: FloatArray
    bits_per_s: float

    @property
    def busiest(self) -> float:
        """Load of the busiest channel, memory included."""
        return max(float(self.loads.max(initial=0.0)), self.memory_load)

    @property
    def latency_s(self) -> float:
        """Return the latency of a frame of the slowest chain."""
        return max(timing.latency_s for timing in self.chains)

    @property
    def on_time(self) -> float:
        """Least share of frames on time, mean over chains."""
        return sum(timing.on_time for timing in self.chains) / len(self.chains)

    @property
    def joules_per_bit(self) -> float:
        """All power over what blocks hand on."""
        return float(self.energy_w.sum()) / self.bits_per_s


def traffic_of(system: ChipletSystem, chains: Sequence[ApplicationChain], design: PackageDesign) -> Traffic:
    """Return the traffic results of a package with all chains busy at the same time."""
    network = network_of(system, design)
    legs = tuple(
        tuple(
            _legs(system, network, design, chain, hop) for hop in range(len(chain.blocks) - 1)
        )
        for chain in chains
    )  # fmt: skip
    flat = [leg for own in legs for hop in own for leg in hop]
    loads = np.zeros(network.channels)
    for leg in flat:
        if leg.use is not None:
            loads[leg.use.channels] += leg.packets_per_s * leg.use.cycles / system.router.hz
    moved = sum(leg.bytes_moved * leg.frames_per_s for leg in flat if leg.memory)
    memory_load = moved / system.memory.bytes_per_s
    timings = tuple(
        _timing(system, design, chain, own, loads, memory_load, compute, block_load)
        for chain, own, (compute, block_load) in zip(chains, legs, computing(system, chains), strict=True)
    )
    energy = _energy_w(system, design, network, flat, timings)
    bits = sum(sum(chain.bytes_handed_on) * chain.frames_per_s for chain in chains) * _BITS
    return Traffic(network, legs, loads, memory_load, timings, energy, bits)


def computing(system: ChipletSystem, chains: Sequence[ApplicationChain]) -> list[tuple[FloatArray, float]]:
    """Return the seconds that the `b` blocks of each chain compute for a frame, shape `b`, and the load of the busiest of them.

    A block that works for several chains gives each what the others leave of it, or its share of what is asked for.
    """
    alone = []
    loads: dict[str, float] = {}
    for chain in chains:
        handed_on = np.array(chain.bytes_handed_on)
        most = np.maximum(np.append(0.0, handed_on), np.append(handed_on, 0.0))
        seconds = np.array([system.blocks[name].seconds_per_byte for name in chain.blocks]) * most
        alone.append(seconds)
        for name, each in zip(chain.blocks, seconds.tolist(), strict=True):
            loads[name] = loads.get(name, 0.0) + each * chain.frames_per_s
    found = []
    for chain, seconds in zip(chains, alone, strict=True):
        load = np.array([loads[name] for name in chain.blocks])
        found.append((seconds / _left(load, seconds * chain.frames_per_s), float(load.max())))
    return found


def _legs(
    system: ChipletSystem, network: PackageNetwork, design: PackageDesign, chain: ApplicationChain, hop: int
) -> tuple[Leg, ...]:
    source, target, memory = chain.blocks[hop], chain.blocks[hop + 1], system.memory.block
    direct = design.flow == "direct" or memory in (source, target)
    ways = [(source, target)] if direct else [(source, memory), (memory, target)]
    piece = system.subframe_bytes if design.flow == "direct" else system.packet_bytes
    flits = 1 + -(-piece // system.router.flit_bytes)
    place = design.chiplet_of
    found = []
    for begin, end in ways:
        ends = place[begin], place[end]
        use = network.use(*ends, flits) if ends[0] != ends[1] else None
        through = design.flow == "memory" and memory in (begin, end)
        found.append(Leg(begin, end, ends, chain.bytes_handed_on[hop], chain.frames_per_s, through, use, piece, flits))
    return tuple(found)


def _timing(
    system: ChipletSystem,
    design: PackageDesign,
    chain: ApplicationChain,
    legs: Sequence[Sequence[Leg]],
    loads: FloatArray,
    memory_load: float,
    compute: FloatArray,
    block_load: float,
) -> ChainTiming:
    leg_s = tuple(tuple(_leg_s(system, leg, loads, memory_load) for leg in hop) for hop in legs)
    whole = np.array([max(hop) for hop in leg_s])
    alone = np.array([sum(_alone_s(system, leg) for leg in hop) for hop in legs])
    if design.flow == "memory":
        # Each block is busy until it has read, computed and written; the next one waits for all of that.
        read = np.array([0.0, *(hop[-1] for hop in leg_s)])
        written = np.array([*(hop[0] for hop in leg_s), 0.0])
        active = np.maximum(np.maximum(compute, read), written)
        latency = float(active.sum() + alone.sum())
    else:
        pieces = np.array([max(1.0, moved / system.subframe_bytes) for moved in chain.bytes_handed_on])
        moving = np.maximum(np.append(0.0, whole), np.append(whole, 0.0))
        active = np.maximum(compute, moving)
        # All pieces pass the slowest stage; the others are passed by one piece.
        stages, of_one = np.append(compute, whole), np.append(compute / np.append(pieces, pieces[-1]), whole / pieces)
        slowest = int(stages.argmax())
        latency = float(stages[slowest] + of_one.sum() - of_one[slowest] + alone.sum())
    busiest = max(
        [memory_load if any(leg.memory for hop in legs for leg in hop) else 0.0]
        + [float(loads[leg.use.channels].max()) for hop in legs for leg in hop if leg.use is not None]
    )
    on_time = min(1.0, chain.deadline_s / latency, 1.0 / max(busiest, block_load))
    return ChainTiming(chain, compute, whole, leg_s, latency, active, on_time)


def _leg_s(system: ChipletSystem, leg: Leg, loads: FloatArray, memory_load: float) -> float:
    """Return the time of a frame over a leg: the slowest of its channels, each with what others leave of it."""
    packets, found = leg.bytes_moved / leg.packet_bytes, 0.0
    if leg.use is not None:
        busy_s = leg.use.cycles / system.router.hz
        found = float((packets * busy_s / _left(loads[leg.use.channels], leg.packets_per_s * busy_s)).max())
    if leg.memory:
        own = leg.bytes_moved * leg.frames_per_s / system.memory.bytes_per_s
        left = float(_left(np.array([memory_load]), np.array([own]))[0])
        found = max(found, leg.bytes_moved / (system.memory.bytes_per_s * left))
    return found


def _left(load: FloatArray, own: FloatArray) -> FloatArray:
    """Return the share of a channel that a transfer gets: the rest that others leave, or its share of the total demand."""
    return np.maximum(1.0 - (load - own), own / np.maximum(load, 1e-300))


def _alone_s(system: ChipletSystem, leg: Leg) -> float:
    """Return the latency of one piece without contention."""
    own = 0.0 if leg.use is None else leg.use.alone_cycles / system.router.hz
    return own + (system.memory.latency_s if leg.memory else 0.0)


def _energy_w(
    system: ChipletSystem,
    design: PackageDesign,
    network: PackageNetwork,
    legs: Sequence[Leg],
    timings: Sequence[ChainTiming],
) -> FloatArray:
    """Return the power of each of `ENERGY_PARTS` at the frames asked for."""
    channel, router = system.channel, system.router
    blocks = sum(
        float(seconds) * timing.chain.frames_per_s * system.blocks[name].power_w
        for timing in timings
        for name, seconds in zip(timing.chain.blocks, timing.active_s, strict=True)
    )
    wires = serdes = routers = memory = 0.0
    for leg in legs:
        bits = leg.bytes_moved * leg.frames_per_s * _BITS
        memory += bits * system.memory.j_per_bit if leg.memory else 0.0
        if leg.use is not None:
            flits = leg.packets_per_s * leg.packet_flits
            on_wire = flits * router.flit_bytes * _BITS
            wires += on_wire * leg.use.hops * channel.wire_j_per_bit
            serdes += on_wire * leg.use.ends * channel.serdes_j_per_bit if design.serdes_ratio > 1 else 0.0
            routers += flits * leg.use.routers * router.flit_j
    always = network.topology.routers * router.static_w + len(design.chiplets) * router.interface_static_w
    return np.array([blocks, wires, serdes, routers, memory, always])
