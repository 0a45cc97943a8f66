from typing import Any

import pytest

from engines.methods.soc_mapping.engine import SocMappingEngine
from engines.methods.soc_mapping.problem import problem_costs
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate, explain, plan
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


@pytest.mark.parametrize(("clocks", "built"), [("fixed", 1), ("searched", 2)])
def test_one_problem_is_built_once_and_once_more_for_all_clocks(
    clocks: str, built: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(
        problem_costs, "instance_of", lambda *given, **named: calls.append(given) or made(*given, **named)
    )
    problem = mapping_problem({"clocks": clocks, "clock_steps": 2, "labels": 150}, tiny_network())
    plan(problem)
    designs = [step.designs for step in drive(SocMappingEngine(), problem, LocalContext(problem)) if step.designs]
    evaluate(problem, designs[0].decisions)
    explain(problem, designs[0].decisions[0])
    assert len(calls) == built


made = problem_costs.instance_of
