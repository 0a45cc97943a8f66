from __future__ import annotations

import numpy as np

from engines.methods.magnas.reproduction.runs import PYRAMID, Case, problem_of
from engines.methods.magnas.search.accelerators import accelerator_costs


def test_the_three_accelerators_have_34_blocks_or_104_layers_of_the_same_network() -> None:
    blocks, layers = accelerator_costs("blocks"), accelerator_costs("layers")
    assert (blocks.blocks, layers.blocks, blocks.units) == (34, 104, 3)
    np.testing.assert_allclose(blocks.latency_s.sum(axis=0), layers.latency_s.sum(axis=0))
    np.testing.assert_allclose(blocks.energy_j.sum(axis=0), layers.energy_j.sum(axis=0))
    assert len(problem_of(Case(PYRAMID)).values["workload"].models) == 1
