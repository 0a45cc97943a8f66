"""Whether two runs' values differ by more than their estimates may be off.

Every engine may name the error band of a column: a factor, up or down, that holds 90 % of held-out measurements. Estimates under
one calibration share its parameters, so that their ratio can be surer than either value: what lies inside the band may still be
a difference, what lies outside is one as far as the calibration tells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engines.contract.errors import EngineError
from engines.running.inspection import Estimator
from webapp.runs.inputs import estimators
from webapp.runs.models import Run


def estimator_of(run: Run) -> Estimator | None:
    """Return the cost model of a run's metrics; None if its version of the engine is not installed or does not answer."""
    try:
        return estimators.estimator_of(run)
    except EngineError:
        return None


def inside_error(values: Sequence[float], factors: Sequence[float], best: int) -> frozenset[int]:
    """Return the positions of values that differ from the one at `best` by no more than the larger of both factors.

    Args:
        values: one per run; what is missing, or not above 0, is never inside.
        factors: factors of each run's estimate; NaN where none is known.
        best: position of what they are compared with; it is itself part of the answer where any other is.
    """
    reference = values[best]
    if not reference > 0 or not math.isfinite(reference):
        return frozenset()
    found = {
        at
        for at, (value, factor) in enumerate(zip(values, factors, strict=True))
        if at != best and value != reference and _near(value / reference, max(_known(factor), _known(factors[best])))
    }
    return frozenset(found | {best}) if found else frozenset()


def _known(factor: float) -> float:
    return factor if math.isfinite(factor) else 1.0


def _near(ratio: float, factor: float) -> bool:
    return ratio > 0 and math.isfinite(ratio) and abs(math.log(ratio)) <= math.log(factor)
