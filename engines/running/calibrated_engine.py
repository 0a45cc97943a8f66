"""Engines whose costs follow from the calibration of a device: cost model, certainty, and the calibration that is taken."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from typing import Any, ClassVar

from typing_extensions import TypeVar

from engines.contract.certainty import Certainty, SurerDesigns, weakest
from engines.contract.engine import EngineParams, Problem
from engines.cost.calibration.unmeasured import CalibrationCoverage, chosen_calibration
from engines.cost.calibration.words import ROOFLINE
from engines.running.prepared_problems import ready_of
from engines.search.prepared_problem import PreparedEngine, PreparedProblem

P = TypeVar("P", bound=EngineParams, default=Any)
D = TypeVar("D", default=Any)
C = TypeVar("C", default=Any)


class CalibratedProblem(PreparedProblem[P, D, C], ABC):
    """A problem on a calibrated device.

    Attributes:
        covered: the device with its calibration, as far as designs use it.
    """

    covered: CalibrationCoverage


R = TypeVar("R", bound=CalibratedProblem[Any, Any, Any], default=CalibratedProblem[Any, Any, Any])


class CalibratedEngine(PreparedEngine[P, R], ABC):
    """An engine that prices designs by the calibration of a device.

    `other_costs` is what else gives the metrics, as words that follow those of the calibration. `surest` is the most that the
    certainty of a metric may be, whatever the calibration is.
    """

    other_costs: ClassVar[str] = ""
    surest: ClassVar[Certainty] = "measured"

    def estimator(self, problem: Problem[P]) -> tuple[str, Certainty]:
        """Return the cost model with its calibration."""
        covered = ready_of(self, problem).covered
        return f"{ROOFLINE}, {covered.words()}{self.other_costs}", weakest(covered.certainty(), self.surest)

    def surer_designs(self, problem: Problem[P]) -> SurerDesigns:
        """Return designs on measured units alone."""
        covered = ready_of(self, problem).covered
        units = covered.surer_units
        if not units:
            return SurerDesigns()
        return SurerDesigns(covered.datasheet_units, weakest(covered.certainty(units), self.surest))

    def chosen_inputs(self, problem: Problem[P]) -> Mapping[str, str]:
        """Return the built-in calibration, where the problem names none."""
        return chosen_calibration(problem, ready_of(self, problem).covered)
