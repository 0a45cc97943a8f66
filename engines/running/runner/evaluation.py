"""Scores decisions of a problem in a child process with limits on memory, processor time and time.

Whatever a decision does to its engine - an exception, endless work - ends as an error that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.contract.designs import Designs, canonical_json
from engines.contract.engine import Problem
from engines.contract.errors import BusyError, DecisionError, EngineError, ProblemError
from engines.registry import engine_path as path_of_engine
from engines.registry import get_engine
from engines.running.runner.frame_parts import pack_problem, unpack_designs
from engines.running.runner.limited_process import AllBusyError, ChildLimits, answer_of, refusal
from engines.running.runner.protocol import EvaluationAnswer

MOST_DECISIONS = 100
EVALUATION_LIMITS = ChildLimits(memory_mb=4096.0, cpu_s=40, time_s=60.0)


class EvaluationError(EngineError):
    """An error for decisions that could not be evaluated for an external reason, which the message states."""


def evaluate_in_child(
    problem: Problem, decisions: Sequence[Mapping[str, Any]], limits: ChildLimits = EVALUATION_LIMITS
) -> Designs:
    """Return `Engine.evaluate` in a child process.

    Args:
        problem: problem of the engine.
        decisions: JSON-able mappings, at most `MOST_DECISIONS`.
        limits: bounds of the child process.

    Raises:
        BusyError: others are at work.
        ProblemError: there are too many decisions, or the engine refuses the problem.
        DecisionError: the engine refuses a decision; `field` begins with its number, as in "decisions.2.units".
        EvaluationError: the child took more than the limits, or failed in a way that nobody foresaw.
    """
    if len(decisions) > MOST_DECISIONS:
        raise ProblemError("decisions", f"{len(decisions)} decisions", f"at most {MOST_DECISIONS} at a time")
    start = pack_problem(
        problem,
        path_of_engine(problem.engine),
        memory_limit_mb=limits.memory_mb,
        decisions=("[" + ",".join(_texts(decisions)) + "]").encode(),
        cpu_limit_s=limits.cpu_s,
    )
    try:
        found, ending = answer_of((start,), EvaluationAnswer, limits)
    except AllBusyError as error:
        raise BusyError("decisions") from error
    if found is None:
        advice = "Give fewer decisions at a time."
        raise refusal(ending, "Scoring", limits, EvaluationError, advice)
    designs = unpack_designs(found.designs)
    return Designs.empty(get_engine(problem.engine).quantities) if designs is None else designs


def _texts(decisions: Sequence[Mapping[str, Any]]) -> list[str]:
    found = []
    for number, decision in enumerate(decisions):
        if not isinstance(decision, Mapping):
            raise DecisionError(f"decisions.{number}", decision, "an object with the keys of a decision")
        try:
            found.append(canonical_json(decision))
        except (TypeError, ValueError) as error:
            raise DecisionError(
                f"decisions.{number}", repr(decision)[:200], "a value that JSON can represent"
            ) from error
    return found
