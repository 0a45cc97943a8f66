"""Ways of packets along mini-chains, and packets of the simulated package."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.neksus.closed_loop import closed_loop
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.outcome import baselines
from engines.methods.neksus.packets import routes_of
from engines.methods.neksus.picture import package_picture
from engines.simulation.noc.precompilation import compile_once
from tests.engines.methods.neksus.problems import neksus_problem


def test_ways_by_hand() -> None:
    # Rings hub - 0 - 1 - hub (links 0, 1, 2) and hub - 2 - hub (3, 4).
    design = PackageDesign("crossbar", (("cam",), ("ve",), ("dc",)), 2, 6, 128, "direct", frozenset())
    routes = routes_of(design)
    assert routes[0, 1] == (1,) and routes[1, 0] == (2, 0)
    assert routes[0, 2] == (1, 2, 3) and routes[2, 1] == (4, 0, 1)
    assert len(routes) == 6


@pytest.mark.parametrize("number", [0, 3])
def test_packets_take_the_links_that_carry_load(number: int) -> None:
    compile_once()
    instance = instance_of(neksus_problem({"applications": "youtube", "simulate_network": True}))
    design = list(baselines(instance).values())[number]
    loop = closed_loop(instance, design)
    assert loop is not None
    picture = package_picture(instance, design, loop)
    for case, packets in enumerate(picture.packets):
        taken = {link for route in np.unique(packets.route).tolist() for link in picture.routes[route]}
        assert taken and taken <= set(np.flatnonzero(picture.loads[case] > 0).tolist())
        assert (packets.end_s > packets.start_s).all() and (np.diff(packets.start_s) >= 0).all()
        assert packets.start_s.max() < picture.shown_s
    # A subframe of the decoder every 768 cycles, 65 flits one after the other in each.
    direct = picture.packets[0]
    assert np.diff(direct.start_s) * instance.system.router.hz == pytest.approx(768, abs=70)
    assert (direct.end_s - direct.start_s).min() * instance.system.router.hz >= 65
