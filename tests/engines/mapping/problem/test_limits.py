from __future__ import annotations

from engines.mapping.problem.limits import allowed_of
from engines.mapping.solver.unit_costs import MappingLimits


def test_only_limits_that_are_set_are_limits() -> None:
    assert allowed_of(MappingLimits()) == {}
    found = {limit.param: value for limit, value in allowed_of(MappingLimits(latency_s=0.5, transitions=0)).items()}
    assert found == {"latency_limit_s": 0.5, "transition_limit": 0.0}
