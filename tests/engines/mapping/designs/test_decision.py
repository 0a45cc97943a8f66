from __future__ import annotations

import pytest

from engines.contract.errors import DecisionError
from engines.running.inspection import evaluate
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


@pytest.mark.parametrize(
    ("decision", "field"),
    [({}, "units"), ({"units": ["gpu"]}, "units"), ({"units": ["npu"] * 6}, "units.0"),
     ({"units": ["gpu"] * 6, "clocks_mhz": {"gpu": 5}}, "clocks_mhz.gpu"),
     ({"units": ["gpu"] * 6, "clocks_mhz": "high"}, "clocks_mhz"),
     ({"units": ["gpu"] * 6, "clock_mhz": {"gpu": 520}}, "clock_mhz")],
)  # fmt: skip
def test_a_decision_that_is_none_is_refused_by_its_field(decision: dict[str, object], field: str) -> None:
    problem = mapping_problem(None, tiny_network())
    with pytest.raises(DecisionError, match=rf"^decisions\.0\.{field}: "):
        evaluate(problem, [decision])
