"""The simulation cycle by cycle: by hand, what must always hold, and how it is stopped and gone on with."""

import numpy as np
import pytest

from engines.simulation.noc.bounds import pair_latency
from engines.simulation.noc.butter_donut import butter_donut
from engines.simulation.noc.networks import crossbar, crossbar_hub, flattened_butterfly, mesh, star, with_chains
from engines.simulation.noc.simulation import Measurement, Sampling, Simulation, link_outputs, percentile, simulate
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import Traffic, chained, neighbour, traced, uniform

NETWORKS = [
    mesh(4, 3),
    mesh(2, 2, 4),
    flattened_butterfly(3, 3, 2),
    star(12),
    crossbar(6),
    crossbar_hub(14, ports=4),
    with_chains(mesh(2, 2), [[0, 1], [2, 3, 4], [5], [6, 7]]),
    butter_donut(4, 4),
]
SHORT = Sampling(period_cycles=400, packets=10)


def named(network: Topology) -> str:
    return network.name


def filled(network: Topology, ordered: bool = False, flits: int = 5) -> Simulation:
    """After half a thousand cycles with more than it can take, then quiet until all is home."""
    simulation = Simulation(network, uniform(network.terminals, 0.9, flits), seed=3, ordered=ordered, log_rows=60_000)
    simulation.advance(500)
    simulation.state["threshold"][:] = 0
    simulation.advance(4000)
    return simulation


@pytest.mark.parametrize("network", NETWORKS, ids=named)
@pytest.mark.parametrize("flits", [1, 4, 5, 16])
def test_a_packet_alone_takes_the_cycles_of_the_formula(network: Topology, flits: int) -> None:
    random = np.random.default_rng(flits)
    pairs = random.integers(network.terminals, size=(25, 2))
    packets = [(300 * number, int(source), int(target), flits) for number, (source, target) in enumerate(pairs)]
    simulation = Simulation(network, traced(packets, network.terminals), log_rows=2000)
    simulation.advance(300 * 25)
    steps = simulation.steps
    taken = steps[steps[:, 4] == -2][:, 0] - 300 * np.arange(25)
    np.testing.assert_array_equal(taken, pair_latency(network, flits)[pairs[:, 0], pairs[:, 1]])


def test_a_hop_of_the_mesh_by_hand() -> None:
    simulation = Simulation(mesh(2, 1), traced([(0, 0, 1, 1)], 2), log_rows=10)
    simulation.advance(20)
    # Two cycles to the first router, channel, switch (noted) and crossing there, two to the next one, again.
    assert simulation.steps[:, 0].tolist() == [0, 3, 7, 10]
    assert simulation.steps[:, 4].tolist()[0::3] == [-1, -2]


@pytest.mark.parametrize("network", NETWORKS, ids=named)
def test_all_flits_arrive_and_everything_is_given_back(network: Topology) -> None:
    simulation = filled(network)
    assert simulation.flits_arrived == simulation.flits_made > 500
    assert simulation.state["out_vc"][:, :2].sum() == 0
    assert simulation.state["source_vc"].sum() == 0
    assert simulation.state["segments"].sum() == 0
    assert simulation.state["vc"][:, 4].sum() == 0


@pytest.mark.parametrize("network", NETWORKS, ids=named)
def test_packets_of_a_pair_arrive_in_order(network: Topology) -> None:
    steps = filled(network, ordered=True).steps
    arrived = steps[steps[:, 4] == -2]
    assert len(arrived) > 100
    pair = arrived[:, 2] * network.terminals + arrived[:, 3]
    for one in np.unique(pair):
        assert (np.diff(arrived[pair == one, 1]) > 0).all()


@pytest.mark.parametrize("network", NETWORKS, ids=named)
def test_no_packet_is_quicker_than_alone(network: Topology) -> None:
    steps = filled(network).steps
    made, arrived = steps[steps[:, 4] == -1], steps[steps[:, 4] == -2]
    start = dict(zip(made[:, 1].tolist(), made[:, 0].tolist(), strict=True))
    least = pair_latency(network, 5)
    for cycle, number, source, target, *_ in arrived.tolist():
        assert cycle - start[number] >= least[source, target]


def test_flows_that_do_not_overlap_share_a_ring() -> None:
    # 0 -> 1 and 2 -> 3 at once; 1 -> 3 overlaps the second and waits for its four flits and its own handshake.
    packets = [(0, 0, 1, 4), (0, 2, 3, 4), (0, 1, 3, 4)]
    simulation = Simulation(crossbar_hub(4, ports=1), traced(packets, 4), log_rows=100)
    simulation.advance(50)
    arrived = simulation.steps[simulation.steps[:, 4] == -2]
    assert sorted(zip(arrived[:, 2].tolist(), arrived[:, 0].tolist(), strict=True)) in (
        [(0, 7), (1, 12), (2, 7)],
        [(0, 7), (1, 7), (2, 12)],
    )


def test_a_ring_is_shared_fairly() -> None:
    network = crossbar_hub(4, ports=1)
    rates = np.zeros((4, 4))
    rates[:3, 3] = 0.9
    outcome = Measurement(network, Traffic("all to the last", rates, 4), sampling=SHORT)
    outcome.run()
    steps = outcome.simulation.state["sources"]
    # All three want the ring's last segment; a packet holds it for five cycles.
    made = outcome.simulation.flits_arrived
    assert made == pytest.approx(outcome.simulation.now * 4 / 5, rel=0.02)
    assert np.ptp(steps[:3, 8]) < 0.05 * outcome.simulation.now


def test_the_seed_decides() -> None:
    network, traffic = mesh(3, 3), uniform(9, 0.3)
    first, again, other = (simulate(network, traffic, seed=seed, sampling=SHORT) for seed in (5, 5, 6))
    assert first.mean_latency_cycles == again.mean_latency_cycles != other.mean_latency_cycles
    np.testing.assert_array_equal(first.link_load, again.link_load)


@pytest.mark.parametrize("network", [mesh(3, 3), crossbar_hub(9, ports=3)], ids=named)
def test_it_goes_on_where_it_was_stopped(network: Topology) -> None:
    traffic = uniform(9, 0.12)
    whole = simulate(network, traffic, sampling=SHORT)
    cut = Measurement(network, traffic, sampling=SHORT)
    polls = iter(range(1000))

    def stop() -> None:
        if next(polls) == 7:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        cut.run(stop)
    later = Measurement(network, traffic, sampling=SHORT)
    later.restore(cut.snapshot())
    assert later.run().mean_latency_cycles == whole.mean_latency_cycles


def test_a_state_of_another_network_is_refused() -> None:
    saved = Simulation(mesh(2, 2), uniform(4, 0.1)).snapshot()
    with pytest.raises(ValueError, match="another network"):
        Simulation(mesh(3, 3), uniform(9, 0.1)).restore(saved)


def test_a_load_beyond_saturation_is_said() -> None:
    outcome = simulate(mesh(4, 4), uniform(16, 1.5), sampling=Sampling(period_cycles=1000))
    assert outcome.saturated
    assert "beyond saturation" in outcome.describe()
    assert 0.5 < outcome.accepted_throughput < 1.0


def test_loads_of_links_are_those_of_the_bound() -> None:
    network = mesh(3, 1)
    outcome = simulate(network, neighbour(3, 0.2), sampling=Sampling(period_cycles=6000))
    # 0 -> 1, 1 -> 2 and 2 -> 0 over both links back.
    np.testing.assert_allclose(outcome.link_load, 0.2, rtol=0.06)
    assert link_outputs(network).tolist() == [0, 2, 3, 5]


def test_chained_traffic_stays_on_its_ring() -> None:
    outcome = simulate(crossbar_hub(8, ports=2), chained([(0, 1, 2, 3), (4, 5, 6, 7)], 8, 0.2), sampling=SHORT)
    assert outcome.flit_hops == 0
    assert 7 <= outcome.mean_latency_cycles < 8.5
    assert outcome.describe().endswith("per cycle and terminal.")


def test_percentiles() -> None:
    assert percentile(np.array([0, 98, 1, 1, 0]), 0.99) == 2
    assert percentile(np.array([0, 1, 0, 9]), 0.99) == np.inf
    assert np.isnan(percentile(np.zeros(4, dtype=np.int64), 0.99))


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(ValueError, match="by rates"):
        simulate(crossbar(2), traced([(0, 0, 1, 1)], 2))
    with pytest.raises(ValueError, match="above 0"):
        simulate(crossbar(2), uniform(2, 0.0))
    with pytest.raises(ValueError, match="4 flits a cycle at most"):
        simulate(crossbar(2), uniform(2, 4.5))


def test_a_load_that_takes_minutes_is_refused_with_the_least_one() -> None:
    """500 packets of 4 flits in 10 million cycles are 0.0002 flits per cycle."""
    with pytest.raises(ValueError, match=r"at least 0\.0002 flits per cycle in all.*Got 1\.6e-05"):
        simulate(mesh(4, 4), uniform(16, 1e-6))
