"""Bounds against sums by hand."""

import numpy as np
import pytest

from engines.simulation.noc.bounds import channel_load, pair_latency, zero_load_latency
from engines.simulation.noc.butter_donut import butter_donut
from engines.simulation.noc.networks import crossbar, crossbar_hub, flattened_butterfly, mesh, star
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import Traffic, chained, neighbour, uniform

# Mean routers of a packet between any two terminals, themselves among them: 1 + 2 * (n^2 - 1) / (3 n) on an n x n mesh; one link
# with a chance of 3 / 4 for each of two directions; three routers unless both hang on the same one.
HOPS = [
    (mesh(8, 8), 1 + 2 * 63 / 24),
    (mesh(4, 4, 4), 1 + 2 * 15 / 12),
    (flattened_butterfly(4, 4, 4), 1 + 2 * 3 / 4),
    (crossbar(16), 1.0),
    (star(64), 3 - 2 / 16),
]


@pytest.mark.parametrize(("network", "hops"), HOPS, ids=[network.name for network, _ in HOPS])
@pytest.mark.parametrize("flits", [1, 4, 5, 16])
def test_latency_without_contention(network: Topology, hops: float, flits: int) -> None:
    traffic = uniform(network.terminals, 0.1, flits)
    assert zero_load_latency(network, traffic) == pytest.approx(4 * hops + 2 + flits - 1 + (flits - 1) // 4)


def test_latency_of_mini_chains() -> None:
    cycles = pair_latency(crossbar_hub(8, ports=2), 4)
    # Handshake, serialisation, wires, deserialisation; three more flits.
    assert cycles[0, 1] == cycles[3, 0] == 1 + 3 + 3
    # The same twice, and in the hub: virtual channel, switch, crossing.
    assert cycles[0, 5] == cycles[2, 2] == 4 + 3 + 4 + 3


def test_latency_of_butter_donut() -> None:
    cycles = pair_latency(butter_donut(), 1)
    assert cycles[0, 27] == 4 * 7 + 2
    assert cycles[3, 4] == 4 * 3 + 2


@pytest.mark.parametrize(
    ("network", "factor"),
    # Each direction of a mesh's middle carries a quarter of all traffic over as many links as there are rows.
    [(mesh(8, 8), 1 / 2), (mesh(4, 4, 4), 1 / 4), (flattened_butterfly(4, 4, 4), 1.0), (star(64), 1 / (4 * 15 / 16))],
    ids=lambda value: value.name if isinstance(value, Topology) else "",
)
def test_a_channel_is_full_at_this_rate(network: Topology, factor: float) -> None:
    assert channel_load(network, uniform(network.terminals, 1.0)).saturation_factor == pytest.approx(factor)


def test_load_of_a_ring() -> None:
    network = crossbar_hub(8, ports=2)
    # One flit after the other from each chiplet to the next: the segments are used once each, four cycles in five.
    load = channel_load(network, chained([(0, 1, 2, 3)], 8, 0.8))
    np.testing.assert_allclose(load.chains, [1.0, 0.0])
    np.testing.assert_allclose(load.ports, 0.0)
    # To the next one in number, and from the last of each chain over the hub to the first of the other chain.
    around = channel_load(network, neighbour(8, 0.4))
    np.testing.assert_allclose(around.ports, 0.4)
    np.testing.assert_allclose(around.chains, 0.5)


def test_no_traffic_is_no_load_and_no_latency() -> None:
    nothing = Traffic("none", np.zeros((4, 4)), 4)
    assert channel_load(crossbar(4), nothing).saturation_factor == np.inf
    with pytest.raises(ValueError, match="no packets"):
        zero_load_latency(crossbar(4), nothing)


def test_traffic_for_others_is_refused() -> None:
    with pytest.raises(ValueError, match="has 4 terminals"):
        channel_load(crossbar(4), uniform(5, 0.1))
