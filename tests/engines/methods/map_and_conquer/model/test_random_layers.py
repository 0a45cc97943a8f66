"""Random layers are of the kinds of the network."""

from __future__ import annotations

import numpy as np

from engines.methods.map_and_conquer.model.random_layers import random_layers
from engines.methods.map_and_conquer.problem.instance import instance_of
from tests.engines.methods.map_and_conquer.problems import cut_problem


def test_layers_begin_with_a_product_and_have_kinds_that_run_in_the_network() -> None:
    network = instance_of(cut_problem({"clocks": "fixed"}, "visformer-small")).network
    table, starts = random_layers(network.operations, network.starts, 50, np.random.default_rng(0))
    assert len(starts) == 50 and starts[0] == 0 and len(table) % 50 == 0
    assert {table.kinds[start] for start in starts} <= {"conv", "gemm"}
    assert set(table.running_kinds) <= set(network.operations.running_kinds)
    assert table.runs[list(starts)].all() and (table.macs[list(starts)] > 0).all()
    again, _ = random_layers(network.operations, network.starts, 50, np.random.default_rng(0))
    np.testing.assert_array_equal(table.macs, again.macs)
