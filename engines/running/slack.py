"""The slack of designs to the limits of their problem: engines declare limits, and this computes the column that they bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Decisions, Designs
from engines.contract.engine import Context, Engine, Infeasibility, Problem
from engines.contract.limits import LIMIT_SLACK, minimum_slack, nearest
from engines.running.prepared_problems import ready_of


class LimitCheck:
    """The limits of a problem, as its engine gives them, on columns of designs."""

    def __init__(self, engine: Engine, problem: Problem) -> None:
        values = engine.limit_values(problem, ready_of(engine, problem))
        self._values = {limit: value for limit, value in values.items() if limit.has_slack}
        self._has_column = any(quantity.name == LIMIT_SLACK.name for quantity in engine.quantities)

    def slack(self, columns: Mapping[str, Any]) -> FloatArray:
        """Return the least slack to any limit, of the shape of the columns; what an engine gives itself counts where it is less."""
        found = minimum_slack(self._values, columns)
        return np.minimum(found, columns[LIMIT_SLACK.name]) if LIMIT_SLACK.name in columns else found

    def columns(self, designs: Designs) -> Mapping[str, FloatArray]:
        """Return the columns of designs with their slack, where the engine has that column."""
        if not self._has_column:
            return designs.columns
        return {**designs.columns, LIMIT_SLACK.name: self.slack(designs.columns)}

    def unmet(self, designs: Designs) -> Infeasibility | None:
        """Return the limit that every design violates; None if a design meets all limits or there is no limit."""
        slack = minimum_slack(self._values, designs.columns)
        known = np.isfinite(slack)
        if not known.any() or (slack[known] >= 0).any():
            return None
        return nearest(self._values, designs.take(np.flatnonzero(known)))


def evaluate_decisions(engine: Engine, problem: Problem, decisions: Decisions, context: Context) -> Designs:
    """Return the designs of at least one decision, with their slack.

    Raises:
        DecisionError: a decision does not describe a design of this problem.
        ProblemError: the engine refuses the problem.
    """
    designs = engine.evaluate(problem, ready_of(engine, problem), decisions, context)
    return replace(designs, columns=LimitCheck(engine, problem).columns(designs))
