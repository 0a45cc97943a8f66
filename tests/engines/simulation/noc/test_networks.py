"""Topologies against what can be counted by hand, and inputs that are refused."""

from dataclasses import replace

import numpy as np
import pytest

from engines.simulation.noc.networks import crossbar, crossbar_hub, flattened_butterfly, mesh, star, with_chains
from engines.simulation.noc.topology import Chain, Link, Topology

NONE = np.full((1, 1), -1, dtype=np.int64)


def test_a_mesh_goes_along_its_row_first() -> None:
    network = mesh(3, 2)
    ends = [(network.links[link].source, network.links[link].target) for link in network.route(0, 5)]
    assert ends == [(0, 1), (1, 2), (2, 5)]
    assert len(network.links) == 2 * (2 * 2 + 3)


def test_a_flattened_butterfly_takes_one_link_for_each_direction() -> None:
    network = flattened_butterfly(4, 4, 4)
    assert len(network.links) == 16 * 6
    assert [len(network.route(0, 4 * router)) for router in (0, 3, 12, 15)] == [0, 1, 1, 2]


def test_ports_are_counted() -> None:
    assert set(mesh(4, 4).router_ports) == {3, 4, 5}
    assert list(star(16).router_ports) == [5, 5, 5, 5, 4]
    assert list(crossbar_hub(64).router_ports) == [16]


def test_a_hub_fills_its_chains_in_order() -> None:
    network = crossbar_hub(6, ports=2, chain_length=4)
    assert [chain.members for chain in network.chains] == [(0, 1, 2, 3), (4, 5)]
    assert list(network.place_in_chain) == [1, 2, 3, 4, 1, 2]


def test_more_chiplets_than_the_ports_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="65 chiplets do not fit 16 ports with chains of 4; these hold 64"):
        crossbar_hub(65)
    with pytest.raises(ValueError, match=r"3 chains need as many ports\. The hub has 2"):
        with_chains(crossbar(2), [[0], [1], [2]])


def test_a_chain_with_a_loop_is_refused() -> None:
    with pytest.raises(ValueError, match="Chiplet 1 appears twice"):
        with_chains(crossbar(2), [[0, 1, 2, 1]])
    with pytest.raises(ValueError, match="chiplet 0 appears twice"):
        Topology("hub", 1, (), (0,), NONE, chains=(Chain(0, (0,)), Chain(0, (0,))))


def test_numbers_of_chiplets_have_no_gaps() -> None:
    with pytest.raises(ValueError, match="without gaps"):
        with_chains(crossbar(2), [[0, 2]])


def test_routes_that_wait_for_each_other_are_refused() -> None:
    ring = tuple(Link(router, (router + 1) % 4) for router in range(4))
    around = np.tile(np.arange(4)[:, None], (1, 4))
    np.fill_diagonal(around, -1)
    with pytest.raises(ValueError, match="could deadlock"):
        Topology("ring", 4, ring, (0, 1, 2, 3), around)


def test_routes_that_never_arrive_are_refused() -> None:
    there_and_back = np.array([[-1, 0, 0], [1, -1, 1], [2, 2, -1]])
    links = (Link(0, 1), Link(1, 0), Link(2, 0))
    with pytest.raises(ValueError, match="never arrives"):
        Topology("loop", 3, links, (0, 1, 2), there_and_back)


@pytest.mark.parametrize("field", ["virtual_channels", "buffer_flits", "terminal_cycles_per_flit"])
def test_numbers_below_one_are_refused(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        replace(crossbar(2), **{field: 0})  # type: ignore[arg-type]  # each of the fields is a number


def test_a_size_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="columns must be at least 1"):
        mesh(0, 4)
