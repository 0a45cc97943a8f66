import pytest

from engines.contract import Problem
from engines.errors import DecisionError
from engines.inspection import evaluate, explain


def test_it_explains_and_evaluates_a_decision(problem: Problem) -> None:
    decision = {"x": [0.0, 0.5, 1.0]}
    schedule, breakdown, _ = explain(problem, decision)
    designs = evaluate(problem, [decision])
    assert designs.columns["energy_j"][0] == breakdown.values.sum() == 2.25  # type: ignore[attr-defined]
    assert designs.columns["latency_s"][0] == schedule.windows[0].end_s == 1.5  # type: ignore[attr-defined]
    assert designs.origin == ("user",)


@pytest.mark.parametrize("decision", [{}, {"x": [1, 2]}, {"x": [0, 0, 2]}, {"x": "abc"}, {"x": [0, 0, None]}])
def test_a_decision_of_another_problem_is_refused(problem: Problem, decision: dict[str, object]) -> None:
    with pytest.raises(DecisionError, match=r"decision\.x"):
        explain(problem, decision)
