from __future__ import annotations

import json
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.methods.scar.own_schedules import own_schedules, with_another
from engines.registry import get_engine
from engines.running.editing import edited
from engines.running.inspection import designs_of_run, evaluate
from engines.running.prepared_problems import ready_of
from tests.engines.chiplets.problem.test_neighbours import MINE
from tests.engines.methods.scar.problems import scar_problem


def test_a_schedule_of_ones_own_is_scored_beside_what_is_found() -> None:
    problem = scar_problem({"own_schedules": json.dumps(MINE)})
    found = designs_of_run(problem)
    at = found.label.index("Own schedule")
    assert found.origin[at] == "baseline" and found.decisions[at]["windows"] == MINE["windows"]
    assert found.columns["latency_s"][at] == evaluate(problem, [MINE]).columns["latency_s"][0]


def test_a_design_made_by_hand_goes_into_the_parameters_of_a_new_exploration() -> None:
    problem = scar_problem({"own_schedules": json.dumps(MINE)})
    text = edited(get_engine("scar"), problem, MINE, [("segment.0.1.0", "2")])["params"]["own_schedules"]
    named = own_schedules(text, ready_of(get_engine("scar"), problem))
    assert [name for name, _ in named] == ["Own schedule 1", "Own schedule 2"]
    assert named[1][1].windows[0][1].path == (2,)
    assert json.loads(with_another("", named[0][1]))[0]["windows"] == MINE["windows"]


UNLINKED = {"windows": [{"models": [{**MINE["windows"][0]["models"][0], "path": [0, 3]}]}]}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[1", "params.own_schedules"),
        ("[1]", "params.own_schedules.0"),
        (json.dumps([MINE] * 21), "params.own_schedules"),
        (json.dumps(UNLINKED), "params.own_schedules.0.windows"),
    ],
)
def test_what_is_no_schedule_of_the_problem_is_refused_by_its_place(text: str, field: str) -> None:
    problem: Any = scar_problem({"own_schedules": text})
    with pytest.raises(ProblemError) as caught:
        ready_of(get_engine("scar"), problem)
    assert caught.value.field.startswith(field)
