"""One look at designs in this process: the same numbers again, everything that can be shown of one, what its numbers mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from engines.context import LocalContext
from engines.contract import Engine, Problem
from engines.designs import Designs
from engines.quantities import Quantity
from engines.registry import get_engine
from engines.results import Result


def explain(problem: Problem, decision: Mapping[str, Any]) -> tuple[Result, ...]:
    """Grid, schedule, breakdowns of one design.

    Raises:
        DecisionError: the decision does not describe a design of this problem.
    """
    return get_engine(problem.engine).explain(problem, decision, LocalContext(problem))


def run_quantities(engine: Engine, params: Mapping[str, Any]) -> tuple[Quantity, ...]:
    """The quantities of a run with these parameters, with the roles that they have in it.

    Parameters that the installed version does not take any more leave the engine's own roles.
    """
    try:
        return engine.quantities_of(engine.Params.model_validate(params))
    except ValidationError:
        return engine.quantities


def evaluate(problem: Problem, decisions: Sequence[Mapping[str, Any]]) -> Designs:
    """The numbers of decisions, one's own or stored ones. Raises `DecisionError` as `explain`."""
    return get_engine(problem.engine).evaluate(problem, decisions, LocalContext(problem))
