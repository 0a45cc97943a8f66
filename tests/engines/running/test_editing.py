"""Moves by hand, one after the other; by hand for the toy."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.contract.errors import DecisionError
from engines.documents.problems import make_problem
from engines.registry import get_engine, register, unregister
from engines.running.design_variants import open_designs, opening_of
from engines.running.editing import edited
from tests.engines.random_shares import RandomEngine
from tests.support.toy_engine import toys_offered

MINE = {"x": [0.5, 0.5, 0.5]}


def after(*moves: tuple[str, str]) -> Any:
    with toys_offered():
        return edited(get_engine("toy"), make_problem("toy", {}, {}), MINE, moves)


def test_figures_and_what_each_move_changed_follow() -> None:
    found = after(("x.0", "0.0"), ("x.2", "1.0"))
    assert found["taken"] == 2 and found["why_not"] == ""
    # Energy is 1 J and the squares of the three numbers.
    assert found["columns"]["energy_j"] == pytest.approx(2.25)
    assert found["told"] == ["X: no. 1 0.5 → 0", "X: no. 3 0.5 → 1"]
    assert found["change"] == "X: no. 1 0.5 → 0, no. 3 0.5 → 1"
    assert found["decision"] == {"x": [0.0, 0.5, 1.0]}
    assert [board["pieces"][0]["place"] for board in found["boards"]] == ["0.0", "0.5", "1.0"]


def test_a_move_that_is_refused_leaves_what_was_before_it_and_says_what_would_do() -> None:
    found = after(("x.0", "0.0"), ("x.1", "2.0"), ("x.2", "1.0"))
    assert (found["taken"], found["why_not"]) == (1, "three numbers from 0 to 1")
    assert found["decision"] == {"x": [0.0, 0.5, 0.5]}


@pytest.mark.parametrize(
    ("move", "words"), [(("y", "0.0"), "a piece of the design"), (("x.0", "7"), "a place of Number 1")]
)
def test_what_is_on_no_board_is_refused(move: tuple[str, str], words: str) -> None:
    found = after(move)
    assert (found["taken"], found["why_not"]) == (0, words)


def test_a_decision_that_is_none_is_no_beginning() -> None:
    with toys_offered(), pytest.raises(DecisionError):
        edited(get_engine("toy"), make_problem("toy", {}, {}), {"x": [3.0]}, [])


def test_an_engine_that_says_nothing_lets_nothing_be_moved() -> None:
    register(RandomEngine.name, RandomEngine)
    try:
        problem = make_problem(RandomEngine.name, {}, {})
        assert edited(get_engine(RandomEngine.name), problem, {"share": 0.5}, [])["boards"] is None
    finally:
        unregister(RandomEngine.name)


def test_it_is_asked_in_the_talk_that_is_open() -> None:
    with toys_offered():
        problem = make_problem("toy", {}, {})
        answering = open_designs(json.loads(json.dumps(opening_of(problem, {}, [], 2048.0), default=dict)))
        found = answering({"what": "edit", "decision": MINE, "moves": [["x.0", "1.0"]]})
        refused = answering({"what": "edit", "decision": {"x": 1}, "moves": []})
    assert json.loads(json.dumps(found))["columns"]["energy_j"] == pytest.approx(2.5)
    assert refused["refused"]["field"] == "decision.x"
