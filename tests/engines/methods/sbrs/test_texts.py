from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.methods.sbrs.engine import SbrsEngine
from engines.running.prepared_problems import ready_of
from tests.engines.methods.sbrs.problems import sbrs_problem


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"requirements": "r1: 1 1 0 0"}, "params.requirements"),
        ({"requirements": "r1 1 0 0 0"}, "params.requirements"),
        ({"accuracies": "tiny: 80"}, "params.accuracies"),
        ({"accuracies": "small: eighty"}, "params.accuracies"),
        ({"unit": "dla"}, "params.unit"),
        ({"budget_profile": "wind"}, "params.budget_profile"),
    ],
)
def test_it_refuses_what_it_cannot_read(params: Mapping[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        ready_of(SbrsEngine(), sbrs_problem(params))
    assert caught.value.field == field
