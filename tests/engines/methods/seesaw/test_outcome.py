from __future__ import annotations

from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.seesaw.cases import winding
from tests.engines.methods.seesaw.problems import seesaw_problem


def test_where_one_rate_is_the_best_everywhere_it_is_said() -> None:
    last = run_all(TinyProblem(seesaw_problem({}, winding(0.0))))[-1]
    assert "nothing to predict" in last.message and last.infeasible is not None
    assert [field for _, field in last.infeasible.remedies] == ["params.least_tolerance_percent", "inputs.data"]


def test_where_the_lowest_rate_is_good_enough_less_error_is_offered() -> None:
    params = {"least_tolerance_percent": 14, "largest_tolerance_percent": 14, "largest_cross_validation_percent": 0.01}
    steps = run_all(TinyProblem(seesaw_problem(params)))
    lowest = designs_of(steps).columns["error_percent"].max()
    assert 0 < lowest < 14 and steps[-1].infeasible is not None
    words, field = steps[-1].infeasible.remedies[1]
    assert field == "params.least_tolerance_percent"
    assert f"always 0.1 Hz has an average error of {lowest:.2g} %, less than the least tolerance." in words
