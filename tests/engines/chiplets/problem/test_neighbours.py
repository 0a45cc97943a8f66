from __future__ import annotations

from typing import Any

from engines.chiplets.problem.neighbours import neighbouring_schedules
from engines.registry import get_engine
from engines.running.design_variants import scored
from tests.engines.methods.scar.problems import scar_problem

FIRST = {"model": 0, "first_layer": 0, "cuts": [1, 3], "path": [0, 1]}
SECOND = {"model": 1, "first_layer": 0, "cuts": [3], "path": [3]}
MINE: dict[str, Any] = {"layout": None, "windows": [{"models": [FIRST, SECOND]}]}


def models_of(decision: dict[str, Any]) -> list[tuple[list[int], list[int]]]:
    return [(placed["path"], placed["cuts"]) for placed in decision["windows"][0]["models"]]


def test_segments_move_to_idle_chiplets_cuts_shift_and_segments_swap() -> None:
    found = [models_of(each) for each in neighbouring_schedules(MINE, 4)]
    same = ([3], [3])
    assert found[:2] == [[([2, 1], [1, 3]), same], [([0, 2], [1, 3]), same]]
    assert found[2] == [([0, 1], [1, 3]), ([2], [3])]
    assert found[3] == [([0, 1], [2, 3]), same], "a cut at the first layer would leave a segment empty"
    assert found[4:] == [
        [([1, 0], [1, 3]), same],
        [([3, 1], [1, 3]), ([0], [3])],
        [([0, 3], [1, 3]), ([1], [3])],
    ]
    assert MINE["windows"][0]["models"][0] is FIRST and FIRST["path"] == [0, 1]


def test_those_that_keep_the_rules_of_the_package_are_scored_and_the_others_say_why() -> None:
    problem = scar_problem()
    columns, refused = scored(get_engine("scar"), problem, list(neighbouring_schedules(MINE, 4)))
    assert 0 < len(refused) < len(columns["latency_s"])
    assert all("decision" in words for words in refused.values())
