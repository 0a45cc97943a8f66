"""Loads of channels by pair are those of all traffic together; micro-bumps by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.network import cycles_per_flit, network_of
from engines.methods.neksus.params import TOPOLOGIES
from engines.simulation.noc.bounds import channel_load, pair_latency
from engines.simulation.noc.traffic import Traffic
from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system

SYSTEM = load_chiplet_system(builtin_chiplet_systems()["neksus-phone"])
APART = tuple((name,) for name in SYSTEM.blocks)
FLITS = 5


def package(topology: str = "crossbar", chain_length: int = 4, serdes: int = 6, bits: int = 128) -> PackageDesign:
    return PackageDesign(topology, APART, chain_length, serdes, bits, "direct", frozenset())


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("chain_length", [1, 3])
def test_loads_by_pair_add_up_to_those_of_all_traffic(topology: str, chain_length: int) -> None:
    network = network_of(SYSTEM, package(topology, chain_length))
    terminals, count = network.topology.terminals, len(APART)
    rates = np.zeros((terminals, terminals))
    rates[:count, :count] = np.random.default_rng(1).uniform(0, 0.01, (count, count)) * (1 - np.eye(count))
    loads = np.zeros(network.channels)
    for source, target in np.argwhere(rates):
        use = network.use(int(source), int(target), FLITS)
        loads[use.channels] += use.cycles * rates[source, target] / FLITS
        assert use.alone_cycles == pair_latency(network.topology, FLITS)[source, target]
    assert loads.max() == pytest.approx(channel_load(network.topology, Traffic("random", rates, FLITS)).busiest)
    assert network.channel_title(int(loads.argmax()))


def test_a_hand_over_within_a_chain_passes_no_router() -> None:
    network = network_of(SYSTEM, package())
    inside, across = network.use(0, 1, FLITS), network.use(0, 5, FLITS)
    assert (inside.routers, inside.hops, inside.ends) == (0, 1, 2)
    # Places 1 of chain 0 and 2 of chain 1: 4 segments to the port, then 2.
    assert (across.routers, across.hops, across.ends) == (1, 6, 4)
    assert network.use(1, 0, FLITS).hops == 4  # a ring goes one way


def test_narrow_channels_and_crowded_wires_take_more_cycles_for_a_flit() -> None:
    assert cycles_per_flit(SYSTEM, package()) == 1
    assert cycles_per_flit(SYSTEM, package(bits=64)) == 2
    assert cycles_per_flit(SYSTEM, package(serdes=8)) == 2  # 16 Gbit/s on a wire for 12
