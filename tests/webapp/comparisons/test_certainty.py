from __future__ import annotations

from math import inf, nan

import pytest

from engines.contract.errors import BusyError, EngineError, UnknownEngineError
from engines.running.inspection import Estimator
from webapp.comparisons.certainty import estimator_of, inside_error
from webapp.runs.inputs import estimators
from webapp.runs.models import Run


@pytest.mark.parametrize(
    ("values", "factors", "best", "inside"),
    [
        ((10.0, 11.0), (1.2, 1.2), 0, {0, 1}),
        ((10.0, 13.0), (1.2, 1.2), 0, set()),
        ((10.0, 13.0), (1.2, 1.4), 0, {0, 1}),  # the less certain of both decides
        ((10.0, 11.0), (nan, nan), 0, set()),
        ((10.0, 10.0), (1.2, 1.2), 0, set()),  # no difference at all
        ((10.0, 11.0, 30.0), (1.2, 1.2, 1.2), 0, {0, 1}),
        ((30.0, 26.0, 10.0), (1.2, 1.2, 1.2), 0, {0, 1}),
        ((0.0, 1.0), (2.0, 2.0), 0, set()),
        ((1.0, nan, inf), (9.0, 9.0, 9.0), 0, set()),
    ],
)
def test_what_is_nearer_than_the_estimates_are_sure(values, factors, best, inside) -> None:
    assert inside_error(values, factors, best) == inside


@pytest.mark.parametrize("error", [UnknownEngineError("gone", ["scar"]), BusyError()])
def test_what_cannot_be_asked_is_not_known(error: EngineError, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(run: Run) -> Estimator:
        raise error

    monkeypatch.setattr(estimators, "estimator_of", refuse)
    assert estimator_of(Run(engine="scar")) is None
