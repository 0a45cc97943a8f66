"""One look at designs in this process: the same numbers again, and everything that can be shown of one design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.context import LocalContext
from engines.contract import Problem
from engines.designs import Designs
from engines.registry import get_engine
from engines.results import Result


def explain(problem: Problem, decision: Mapping[str, Any]) -> tuple[Result, ...]:
    """Grid, schedule, breakdowns of one design.

    Raises:
        DecisionError: the decision does not describe a design of this problem.
    """
    return get_engine(problem.engine).explain(problem, decision, LocalContext(problem))


def evaluate(problem: Problem, decisions: Sequence[Mapping[str, Any]]) -> Designs:
    """The numbers of decisions, one's own or stored ones. Raises `DecisionError` as `explain`."""
    return get_engine(problem.engine).evaluate(problem, decisions, LocalContext(problem))
