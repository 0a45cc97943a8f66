"""The chiplets' meshes, the way over the interposer, and layers without circles."""

import numpy as np
import pytest

from engines.simulation.noc.butter_donut import butter_donut, interposer_pairs
from engines.simulation.noc.deadlock import circles, dependencies

NETWORK = butter_donut()


def test_cores_of_a_chiplet_use_its_mesh() -> None:
    routers = [NETWORK.links[link].target for link in NETWORK.route(0, 27)]
    assert routers == [1, 2, 3, 11, 19, 27]


def test_other_cores_go_over_the_interposer() -> None:
    # Core 3 is the last of its chiplet's row and core 4 the next one's first: one router of the interposer straddles both.
    routers = [NETWORK.links[link].target for link in NETWORK.route(3, 4)]
    assert routers == [66, 4]


def test_no_router_has_more_than_eight_ports_to_others() -> None:
    assert np.bincount(NETWORK.link_source).max() <= 8


def test_links_of_the_interposer_go_both_ways() -> None:
    pairs = set(interposer_pairs(5, 4))
    assert pairs == {(second, first) for first, second in pairs}


def test_one_layer_would_not_do() -> None:
    pairs = np.argwhere(np.ones_like(NETWORK.next_link, dtype=bool))
    assert circles(len(NETWORK.links), dependencies(NETWORK.next_link, NETWORK.link_target, pairs))
    assert NETWORK.layers.max() == 1


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="multiples of 4"):
        butter_donut(6, 4)
