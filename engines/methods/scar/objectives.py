"""What is minimised: a number from the latency and the energy of a window or a schedule, rising in both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.methods.scar.params import Objective

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Goal:
    """An objective.

    Attributes:
        name: "edp", "latency" or "energy".
    """

    name: Objective

    def value(self, latency_s: FloatArray, energy_j: FloatArray) -> FloatArray:
        """The number that is minimised."""
        return objective_value(latency_s, energy_j, self.name)

    @property
    def unit(self) -> str:
        """Unit of the number."""
        return {"edp": "J·s", "latency": "s", "energy": "J"}[self.name]

    def one(self, latency_s: float, energy_j: float) -> float:
        """The same for a single schedule."""
        return float(self.value(np.float64(latency_s), np.float64(energy_j)))  # type: ignore[arg-type]


def objective_value(latency_s: FloatArray, energy_j: FloatArray, objective: Objective) -> FloatArray:
    """The number that is minimised."""
    if objective == "edp":
        return latency_s * energy_j
    return latency_s if objective == "latency" else energy_j
