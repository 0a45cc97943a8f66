from __future__ import annotations

import pytest

from engines.chiplets.joint.slopes import slope_at
from engines.chiplets.problem.objectives import Goal


@pytest.mark.parametrize(
    ("goal", "per_s", "per_j"),
    [
        (Goal("edp"), 3.0, 2.0),  # d(ts)/dt = s, d(ts)/ds = t
        (Goal("latency"), 1.0, 0.0),
        (Goal("energy"), 0.0, 1.0),
        (Goal("weighted", latency_weight_per_s=4.0, energy_weight_per_j=0.5), 4.0, 0.5),
    ],
)
def test_the_slope_is_the_derivative_of_the_goal(goal: Goal, per_s: float, per_j: float) -> None:
    found = slope_at(goal, 2.0, 3.0)
    assert (found.per_s, found.per_j) == pytest.approx((per_s, per_j))
