from __future__ import annotations

import pytest

from engines.contract.results import Breakdown
from engines.running.inspection import evaluate, explain
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


@pytest.mark.parametrize("clocks", [{}, {"clocks_mhz": {"gpu": 675.75}}])
def test_layers_add_up_to_the_mapping(clocks: dict[str, object]) -> None:
    problem = mapping_problem(None, tiny_network())
    decision = {"units": ["gpu", "dla", "dla", "dla", "dla", "gpu"], **clocks}
    designs = evaluate(problem, [decision])
    results = {result.name: result for result in explain(problem, decision)}
    latency, energy = results["layer-latency"], results["layer-energy"]
    assert isinstance(latency, Breakdown) and isinstance(energy, Breakdown)
    assert latency.values.sum() == pytest.approx(designs.columns["latency_s"][0], rel=1e-9)
    assert energy.values.sum() == pytest.approx(designs.columns["energy_j"][0], rel=1e-9)
    assert latency.bars[0].endswith("(GPU)") and len(latency.bars) == 12
    assert (latency.values[:, 3] > 0).sum() == 2
    # A layer counts as bound by one of the two, never by both.
    assert not (latency.values[:, 1] * latency.values[:, 2]).any()
