"""Questions about a problem that may take long, answered in a child process with limits.

Its plan, what gives its figures, what explains a design.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from engines.contract.designs import canonical_json
from engines.contract.encoding.plan_json import plan_from_json
from engines.contract.encoding.result_json import result_from_bytes
from engines.contract.engine import Plan, Problem
from engines.contract.errors import BusyError, EngineError
from engines.contract.results import Result
from engines.registry import engine_path as path_of_engine
from engines.running.inspection import Estimator
from engines.running.runner.frame_parts import pack_problem
from engines.running.runner.limited_process import AllBusyError, ChildLimits, answer_of, refusal
from engines.running.runner.protocol import EstimatorAnswer, ExplanationAnswer, Frame, PlanAnswer

QUESTION_LIMITS = ChildLimits(memory_mb=2048.0, cpu_s=20, time_s=30.0)
AnswerFrame = TypeVar("AnswerFrame", bound=Frame)


class UnansweredError(EngineError):
    """A question was not answered within its limits, or its child failed; the message says which."""


def plan_in_child(problem: Problem, limits: ChildLimits = QUESTION_LIMITS) -> Plan:
    """Return `Engine.prepare` and `Engine.plan` in a child process.

    Args:
        problem: its documents need not have been loaded (`values` may be empty).
        limits: bounds of the child process.

    Raises:
        BusyError: others are at work.
        ProblemError: a document or the problem is refused.
        UnansweredError: the child took more than the limits, or failed in a way that nobody foresaw.
    """
    return plan_from_json(json.loads(_answer(problem, PlanAnswer, "Planning", limits, question="plan").plan))


def estimator_in_child(problem: Problem, limits: ChildLimits = QUESTION_LIMITS) -> Estimator:
    """Return `inspection.estimator` in a child process.

    Raises:
        BusyError, ProblemError, UnansweredError: as for `plan_in_child`.
    """
    found = _answer(problem, EstimatorAnswer, "Telling the cost model", limits, question="estimator")
    return Estimator(**vars(found))


def explain_in_child(
    problem: Problem, decision: Mapping[str, Any], limits: ChildLimits = QUESTION_LIMITS
) -> tuple[Result, ...]:
    """Return `Engine.explain` in a child process.

    Raises:
        BusyError, ProblemError, UnansweredError: as for `plan_in_child`; `DecisionError` where the decision is refused.
    """
    decisions = canonical_json([decision]).encode()
    answer = _answer(
        problem, ExplanationAnswer, "Explaining the design", limits, question="explain", decisions=decisions
    )
    return tuple(result_from_bytes(entry.content) for entry in answer.results)


def _answer(problem: Problem, kind: type[AnswerFrame], words: str, limits: ChildLimits, **question: Any) -> AnswerFrame:
    path = path_of_engine(problem.engine)
    start = pack_problem(problem, path, memory_limit_mb=limits.memory_mb, cpu_limit_s=limits.cpu_s, **question)
    try:
        found, ending = answer_of((start,), kind, limits)
    except AllBusyError as error:
        raise BusyError from error
    if found is None:
        raise refusal(ending, words, limits, UnansweredError)
    return found
