from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engines.contract.engine import Document
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.mapping.problem.instance import standalone
from engines.mapping.solver.unit_mapping import score
from engines.methods.magnas.search.setup import Setup, build_setup
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.supernets.space import Architecture
from engines.supernets.workload import network_document
from tests.engines.methods.magnas.problems import search_problem


def isotropic() -> Setup:
    """The published space."""
    return build_setup(search_problem())


def pyramid() -> Setup:
    """Grids of 16, 8, 8 and 4 nodes along a side: the third superblock is as wide as the second."""
    setup = build_setup(search_problem())
    every = (1,) * 4
    space = replace(
        setup.space, image_side=256, widths=(320, 640, 640, 160), neighbours=(9,) * 4, dilations=every, poolings=every
    )
    return replace(setup, space=space)


@pytest.mark.parametrize("setup_of", [isotropic, pyramid])
def test_costs_of_an_architecture_are_those_that_the_mapping_engine_gives_its_network(
    setup_of: Callable[[], Setup],
) -> None:
    setup = setup_of()
    calibration = get_builtin("calibration", setup.calibration.slug)
    for seed in range(4):
        architecture = setup.space.random(np.random.default_rng(seed))
        inputs = {
            "hardware": get_builtin("hardware", "jetson-agx-xavier"),
            "workload": Document("workload", "subnet", 1, network_document(setup.space, architecture)),
            "calibration": calibration,
        }
        instance = instance_of(make_problem("soc-mapping", inputs, {}))
        alone = standalone(instance.costs, instance.reference)[1]
        costs = setup.table.costs(architecture)
        units = np.repeat(np.arange(costs.units)[:, None], costs.blocks, axis=1)
        own = score(costs, units, np.full(costs.units, setup.reference))
        np.testing.assert_allclose(own.latency_s, alone.latency_s, rtol=1e-12)
        np.testing.assert_allclose(own.energy_j, alone.energy_j, rtol=1e-12)
        np.testing.assert_allclose(costs.handover_s, instance.costs.handover_s, rtol=1e-12)
        np.testing.assert_allclose(costs.handover_j, instance.costs.handover_j, rtol=1e-12)


def test_reasons_are_of_the_blocks_that_a_unit_cannot_have() -> None:
    setup = build_setup(search_problem({"fallback": False}))
    for part in setup.table.parts(setup.space.largest("gin")):
        lacking = np.argwhere(np.isinf(part.latency_s[:, :, 0])).tolist()
        assert set(part.reasons) == {(block, setup.model.units[unit]) for block, unit in lacking}


def test_the_least_costs_are_those_of_every_block_by_itself() -> None:
    setup = build_setup(search_problem({"clocks": "after_mapping", "clock_choices": "gpu: 520 1377"}))
    setup = replace(setup, space=replace(setup.space, depths=(2,), operators=("gin", "edge"), hidden=((96, 320),) * 4))
    space, table, start = setup.space, setup.table, setup.space.smallest("gin")
    for number, values in enumerate(("latency_s", "energy_j")):

        def sums(architecture: Architecture, values: str = values) -> list[float]:
            return [float(getattr(part, values).min(axis=(1, 2)).sum()) for part in table.parts(architecture)]

        inside = [min(sums((choice,) * 4)[1 + place] for choice in space.choices(place)) for place in range(4)]
        assert table.least()[number] == pytest.approx(sums(start)[0] + sum(inside) + sums(start)[-1], rel=1e-12)
