"""Objectives to minimise: a number from the latency and the energy of a window or a schedule, rising in both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.chiplets.params import Objective, ScheduleParams
from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.contract.numeric.expressions import Expression, parse_expression

EXPRESSION_NAMES = ("edp_js", "energy_j", "latency_s")
_UNITS = {"edp": "J·s", "latency": "s", "energy": "J"}
_TITLES = {"edp": "energy-delay product", "latency": "latency", "energy": "energy"}


@dataclass(frozen=True)
class Goal:
    """An objective.

    Attributes:
        name: name of the kind.
        latency_weight_per_s, energy_weight_per_j: weights of the weighted sum.
        expression: formula of the objective of kind "expression".
    """

    name: Objective
    latency_weight_per_s: float = 1.0
    energy_weight_per_j: float = 1.0
    expression: Expression | None = None

    def value(self, latency_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        """Return the number that is minimised; arguments and result of the same shape."""
        if self.name == "edp":
            return latency_s * energy_j
        if self.name == "weighted":
            return _scaled(latency_s, self.latency_weight_per_s) + _scaled(energy_j, self.energy_weight_per_j)
        if self.expression is not None:
            named = {"latency_s": latency_s, "energy_j": energy_j, "edp_js": latency_s * energy_j}
            value = self.expression.value(named)
            # Infinite latency or energy stands for what cannot be; an expression may turn it into "not a number".
            return np.asarray(np.where(np.isfinite(latency_s) & np.isfinite(energy_j), value, np.inf))
        return latency_s if self.name == "latency" else energy_j

    @property
    def unit(self) -> str:
        """Unit of the number; none for weighted sums and expressions."""
        return _UNITS.get(self.name, "")

    @property
    def title(self) -> str:
        """In words."""
        if self.expression is not None:
            return self.expression.text
        weighted = f"{self.latency_weight_per_s:g} x latency in s + {self.energy_weight_per_j:g} x energy in J"
        return _TITLES.get(self.name, weighted)

    def one(self, latency_s: float, energy_j: float) -> float:
        """Return the same for a single schedule."""
        return float(self.value(np.array([latency_s]), np.array([energy_j]))[0])


def _scaled(values: FloatArray, weight: float) -> FloatArray:
    """Return the values times a weight, of the same shape: a weight of zero must not meet an infinite value, which cannot be."""
    return weight * values if weight > 0 else np.where(np.isfinite(values), 0.0, np.inf)


def goal_of(params: ScheduleParams) -> Goal:
    """Return the objective that the parameters ask for.

    Raises:
        ProblemError: both weights are zero; or the expression is unsafe, unknown or not rising.
    """
    if params.objective == "weighted" and params.latency_weight_per_s + params.energy_weight_per_j == 0:
        raise ProblemError("params.latency_weight_per_s", 0.0, "above 0, or params.energy_weight_per_j above 0")
    expression = None
    if params.objective == "expression":
        at = "params.objective_expression"
        expression = parse_expression(params.objective_expression, EXPRESSION_NAMES, at)
        if not expression.rising:
            accepted = "an expression that rises with latency and energy and is never negative"
            way = "Subtraction and division by a metric are not possible."
            raise ProblemError(at, params.objective_expression, accepted, remedies=[way])
    return Goal(params.objective, params.latency_weight_per_s, params.energy_weight_per_j, expression)
