from __future__ import annotations

from math import inf, nan

import pytest

from engines.methods.scar.engine import ScarEngine
from webapp.comparisons import certainty
from webapp.comparisons.certainty import error_factors_of, inside_error
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


def test_factors_are_those_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certainty, "problem_of", lambda run: None)
    for name, factors in (("scar", {}), ("gone", {})):
        assert error_factors_of(Run(engine=name)) == factors
    monkeypatch.setattr(ScarEngine, "error_factors", lambda self, problem: {"latency_s": 1.3})
    assert error_factors_of(Run(engine="scar")) == {"latency_s": 1.3}
