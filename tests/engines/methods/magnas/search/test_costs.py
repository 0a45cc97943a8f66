from __future__ import annotations

import numpy as np

from engines.contract.engine import Document
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.mapping.problem.instance import standalone
from engines.mapping.solver.unit_mapping import score
from engines.methods.magnas.search.setup import build_setup
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.supernets.workload import network_document
from tests.engines.methods.magnas.problems import search_problem


def test_costs_of_an_architecture_are_those_that_the_mapping_engine_gives_its_network() -> None:
    setup = build_setup(search_problem())
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
