"""Networks as data, and what is refused."""

from typing import Any

import numpy as np
import pytest

from engines.simulation.noc.networks import crossbar_hub
from engines.simulation.noc.topology import Chain, Link, Topology

THERE_AND_BACK = (Link(0, 1), Link(1, 0))
NEXT = np.array([[-1, 0], [1, -1]])


def pair(**changed: Any) -> Topology:
    """Two routers, three terminals."""
    usual = {"name": "pair", "routers": 2, "links": THERE_AND_BACK, "terminal_router": (0, 1, 1), "next_link": NEXT}
    return Topology(**{**usual, **changed})


def test_routes_and_ports() -> None:
    network = pair()
    assert (network.route(0, 1), network.route(2, 0), network.route(1, 2)) == ((0,), (1,), ())
    assert network.router_ports.tolist() == [2, 3]
    assert network.terminals == 3 and network.chain_of.tolist() == [-1, -1, -1]


def test_places_in_mini_chains() -> None:
    hub = crossbar_hub(8, ports=2)
    assert hub.chain_of.tolist() == [0] * 4 + [1] * 4
    assert hub.place_in_chain.tolist() == [1, 2, 3, 4] * 2


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"terminal_router": ()}, "at least one router and one terminal"),
        ({"terminal_router": (0, 2)}, "routers are 0 to 1. Got 2"),
        ({"virtual_channels": 0}, "virtual_channels must be at least 1. Got 0"),
        ({"links": (Link(0, 1, -1), Link(1, 0))}, "takes 0 cycles or more"),
        ({"layer": np.full((2, 2), 4)}, "5 layers need as many virtual channels. Got 4"),
        ({"next_link": np.array([[-1, 1], [1, -1]])}, "does not leave its router"),
        ({"next_link": np.zeros((1, 1), dtype=np.int64)}, "next_link is routers x routers"),
        ({"chains": (Chain(1, (1, 2, 1)),)}, "chiplet 1 appears twice"),
        ({"chains": (Chain(0, (1,)),)}, "does not hang on router 0"),
    ],
)
def test_what_does_not_fit_is_refused(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pair(**changed)


def test_routes_that_could_deadlock_are_refused() -> None:
    ring = {"routers": 3, "links": (Link(0, 1), Link(1, 2), Link(2, 0)), "terminal_router": (0, 1, 2)}
    with pytest.raises(ValueError, match="could deadlock"):
        pair(**ring, next_link=np.array([[-1, 0, 0], [1, -1, 1], [2, 2, -1]]))
