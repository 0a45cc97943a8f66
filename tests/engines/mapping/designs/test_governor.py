from __future__ import annotations

import numpy as np

from engines.running.inspection import evaluate
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


def test_default_governors_lower_the_clock_of_a_unit_that_waits() -> None:
    problem = mapping_problem(None, tiny_network())
    decisions = [{"units": [unit] * 6, "clocks_mhz": "governor"} for unit in ("gpu", "dla")]
    designs = evaluate(problem, [*decisions, {"units": ["gpu"] * 6}])
    gpu_alone, dla_alone = (decision["clocks_mhz"] for decision in designs.decisions[:2])
    # The CPU launches and waits in both; the GPU has nothing to do where the DLA works.
    assert gpu_alone["gpu"] == 1377 and dla_alone["gpu"] == 114.75
    assert gpu_alone["cpu"] < 2265.6 and gpu_alone["memory"] == 2133
    assert designs.columns["latency_s"][0] > designs.columns["latency_s"][2]
    again = evaluate(problem, designs.decisions)
    np.testing.assert_array_equal(again.columns["energy_j"], designs.columns["energy_j"])
