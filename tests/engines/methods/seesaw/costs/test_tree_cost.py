from __future__ import annotations

import pytest

from engines.methods.seesaw.costs.tree_cost import cortex_m4, decision_s, flash_bytes
from tests.engines.methods.seesaw.predictor.cases import RATES, stairs


def test_flash_and_time_are_counted() -> None:
    tree = stairs()
    constants = cortex_m4()
    assert flash_bytes(tree, RATES.size) == 7 * 7 + 2 * tree.levels + 4 * 5 + constants["code_bytes"]
    assert tree.mean_depth() == pytest.approx(2.0, abs=0.3)
    cycles = constants["cycles_per_decision"] + tree.mean_depth() * constants["cycles_per_comparison"]
    assert decision_s(tree) == pytest.approx(cycles / constants["clock_mhz"] / 1e6, rel=1e-9, abs=0.0)
