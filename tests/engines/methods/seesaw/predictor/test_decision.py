from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import DecisionError
from engines.running.inspection import evaluate
from tests.engines.methods.seesaw.cases import DECISION
from tests.engines.methods.seesaw.problems import seesaw_problem


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tolerance_percent": 0}, "decisions.0.tolerance_percent"),
        ({"tolerance_percent": None}, "decisions.0.tolerance_percent"),
        ({"sensors": ["rain"]}, "decisions.0.sensors"),
        ({"sensors": ["turn", "turn"]}, "decisions.0.sensors"),
        ({"leaves": 1}, "decisions.0.leaves"),
        ({"feedback": "yes"}, "decisions.0.feedback"),
        ({"rate_hz": 3}, "decisions.0.rate_hz"),
        ({"rate_hz": 1, "sleep": 1}, "decisions.0.sleep"),
    ],
)
def test_a_decision_that_is_none_is_refused(changes: dict[str, Any], field: str) -> None:
    problem = seesaw_problem()
    with pytest.raises(DecisionError) as caught:
        evaluate(problem, [DECISION | changes])
    assert caught.value.field == field
