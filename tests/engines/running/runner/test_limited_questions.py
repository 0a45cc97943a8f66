"""A child answers what this process would answer, and what goes wrong there is told."""

from __future__ import annotations

import pytest

from engines.contract.encoding.plan_json import plan_from_json, plan_to_json
from engines.contract.encoding.result_json import equal
from engines.contract.errors import DecisionError, ProblemError
from engines.exploration import explore
from engines.running.inspection import estimator as estimator_of
from engines.running.inspection import plan as plan_of
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.limited_questions import (
    UnansweredError,
    estimator_in_child,
    explain_in_child,
    plan_in_child,
)
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network
from tests.engines.running.runner.cases import unloaded


def test_a_plan_is_the_same_as_in_this_process() -> None:
    there = plan_in_child(unloaded())
    assert there == plan_of(mapping_problem({}, tiny_network()))
    assert plan_from_json(plan_to_json(there)) == there


def test_an_estimator_is_the_same_as_in_this_process() -> None:
    there = estimator_in_child(unloaded())
    assert there == estimator_of(mapping_problem({}, tiny_network()))
    assert there.words and there.error_factors["latency_s"] > 1


def test_what_the_engine_refuses_is_told_by_its_field() -> None:
    with pytest.raises(ProblemError) as caught:
        plan_in_child(unloaded(method="nsga2", population=2000, evaluations=2_000_000))
    assert caught.value.field.startswith("params.")


def test_an_explanation_is_the_same_as_in_this_process() -> None:
    found = explore("toy", params={"steps": 2}, seed=1)
    there = explain_in_child(found.problem, found.designs.decisions[0])
    here = found.explain(0)
    assert len(there) == len(here) and all(equal(*pair) for pair in zip(there, here, strict=True))
    with pytest.raises(DecisionError):
        explain_in_child(found.problem, {"x": [1, 2]})


def test_what_takes_too_long_is_given_up() -> None:
    with pytest.raises(UnansweredError, match="Planning took more than 20 s of computing"):
        plan_in_child(unloaded(), ChildLimits(cpu_s=20, time_s=0.0))
