from __future__ import annotations

import pytest

from engines.contract.errors import DecisionError
from engines.running.inspection import evaluate
from tests.engines.methods.hadas.problems import single_problem


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        ({"exits": [20]}, "decisions.0.exits.0"),  # after the last layer
        ({"exits": 5}, "decisions.0.exits"),
        ({"exits": [5], "clocks_mhz": {"gpu": 5}}, "decisions.0.clocks_mhz.gpu"),
        ({"exits": [5], "threshold": 0.5}, "decisions.0.threshold"),
    ],
)
def test_a_decision_that_is_none_is_named(decision: dict[str, object], field: str) -> None:
    with pytest.raises(DecisionError) as error:
        evaluate(single_problem(), [decision])
    assert error.value.field == field
