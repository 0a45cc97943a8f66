"""Links of the picture carry what the simulation counted."""

from __future__ import annotations

import pytest

from engines.methods.neksus.closed_loop import closed_loop
from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.outcome import baselines
from engines.methods.neksus.picture import package_picture
from engines.simulation.noc.precompilation import compile_once
from tests.engines.methods.neksus.problems import neksus_problem


@pytest.mark.parametrize("number", [0, 3])
def test_a_hand_over_uses_its_links_alone(number: int) -> None:
    compile_once()
    instance = instance_of(neksus_problem({"applications": "youtube", "simulate_network": True}))
    design = list(baselines(instance).values())[number]
    loop = closed_loop(instance, design)
    assert loop is not None
    picture = package_picture(instance, design, loop)
    assert picture.cases[0] == "Block to block" and picture.loads.shape == (3, len(picture.links))
    used = {link.title for link, load in zip(picture.links, picture.loads[0], strict=True) if load > 0}
    # The decoder hands on 1,024 bytes in 65 flits every 768 cycles; beside each other on a ring, or from port to port.
    assert used == ({"VD to DC"} if design.chain_length > 1 else {"Hub to DC", "VD to hub"})
    assert picture.loads[0].max() == pytest.approx(65 / 768, rel=0.05)
    assert {node.name for node in picture.nodes} == {"Hub", *(name.upper() for name in instance.system.blocks)}
