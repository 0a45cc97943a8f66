from __future__ import annotations

from engines.running.inspection import plan as plan_of
from tests.engines.methods.seesaw.problems import recording, seesaw_problem


def test_one_long_route_is_cut_up_to_train_and_test_on() -> None:
    plan = plan_of(seesaw_problem(data=recording(tracks=1, duration_s=1800)))
    assert "3 tracks to train on, 3 to test on" in plan.checks[0].text
