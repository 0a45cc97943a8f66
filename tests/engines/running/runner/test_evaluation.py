"""Decisions that somebody brings are scored as in this process, and nothing that they do to their engine goes further."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engines.contract.engine import Problem
from engines.contract.errors import BusyError, DecisionError, ProblemError
from engines.documents.problems import make_problem
from engines.exploration import explore
from engines.running.runner import limited_process
from engines.running.runner.child_exit import ChildExit
from engines.running.runner.evaluation import MOST_DECISIONS, EvaluationError, evaluate_in_child
from engines.running.runner.limited_process import ChildLimits

GOOD = {"x": [0.0, 0.5, 1.0]}


def toy() -> Problem:
    return make_problem("toy", {}, {})


def test_designs_equal_those_of_this_process() -> None:
    found = explore("toy", params={"steps": 2}, seed=1)
    designs = evaluate_in_child(found.problem, found.designs.decisions)
    assert designs.columns["energy_j"].tolist() == found.designs.columns["energy_j"].tolist()
    assert list(designs.decisions) == list(found.designs.decisions)
    assert set(designs.origin) == {"user"}


def test_no_decisions_give_no_designs_with_all_columns() -> None:
    designs = evaluate_in_child(toy(), [])
    assert len(designs) == 0 and list(designs.columns) == ["latency_s", "energy_j", "spread"]


@pytest.mark.parametrize(
    ("decisions", "field"),
    [
        ([GOOD, GOOD, {"x": [1, 2]}], "decisions.2.x"),
        ([GOOD, {}], "decisions.1.x"),
        ([GOOD, "x"], "decisions.1"),
        ([{"x": [0.0, 0.0, math.nan]}], "decisions.0"),
        ([{"x": object()}], "decisions.0"),
    ],
)
def test_a_wrong_decision_is_told_by_its_number(decisions: list[Any], field: str) -> None:
    with pytest.raises(DecisionError) as caught:
        evaluate_in_child(toy(), decisions)
    assert caught.value.field == field


def test_so_many_decisions_and_no_more() -> None:
    with pytest.raises(ProblemError, match="at most 100"):
        evaluate_in_child(toy(), [GOOD] * (MOST_DECISIONS + 1))


def test_what_takes_too_long_is_given_up() -> None:
    with pytest.raises(EvaluationError, match="on the clock"):
        evaluate_in_child(toy(), [GOOD], ChildLimits(time_s=0.0))


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (ChildExit("failed", reason="memory"), "4096 MB of memory"),
        (ChildExit("failed", reason="signal", signal_name="SIGXCPU"), "40 s of computing"),
        (ChildExit("failed", reason="engine", message="division by zero"), "division by zero"),
    ],
)
def test_what_a_child_died_of_is_told(ending: ChildExit, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.running.runner.evaluation.answer_of", lambda *_: (None, ending))
    with pytest.raises(EvaluationError, match=words):
        evaluate_in_child(toy(), [GOOD])


def test_others_at_work_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_ended(*_: Any) -> None:
        raise limited_process.AllBusyError

    monkeypatch.setattr("engines.running.runner.evaluation.answer_of", none_ended)
    with pytest.raises(BusyError, match="Try again in 5 s"):
        evaluate_in_child(toy(), [GOOD])
