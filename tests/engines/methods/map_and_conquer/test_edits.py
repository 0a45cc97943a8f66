from __future__ import annotations

from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.registry import get_engine
from engines.running.editing import edited
from engines.running.inspection import designs_of_run
from tests.engines.methods.map_and_conquer.problems import tiny


def test_a_stage_changes_places_with_that_of_the_unit_it_goes_to() -> None:
    problem = tiny().problem
    decisions = designs_of_run(problem).decisions
    decision = next(each for each in decisions if len(each["units"]) > 1)
    units = list(decision["units"])
    found = edited(get_engine(problem.engine), problem, decision, [("stage.0", units[1])])
    assert found["taken"] == 1 and found["decision"]["units"][:2] == [units[1], units[0]]
    assert found["decision"]["partition"] == decision["partition"]
    board = found["boards"][0]
    assert {place["name"] for place in board["places"]} == set(instance_of(problem).units)
