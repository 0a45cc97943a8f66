from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Curve
from tests.engines.methods.soc_mapping.problems import (
    HEURISTICS,
    LIMITS,
    every_mapping,
    front_of,
    mapping_problem,
    run,
    searched,
    tiny_network,
)


@pytest.mark.parametrize("method", HEURISTICS)
@pytest.mark.parametrize("name", ["none", "everything", "clocks"])
def test_a_heuristic_never_beats_the_exact_front(method: str, name: str) -> None:
    params = {**LIMITS[name], "method": method, "evaluations": 400, "population": 20}
    problem = mapping_problem(params, tiny_network())
    steps = run(problem)
    exact = front_of(every_mapping(problem))
    for point in front_of(searched(steps)):
        assert not (np.all(point <= exact, axis=1) & np.any(point < exact, axis=1)).any()
    curve = next(result for result in steps[-1].results if isinstance(result, Curve))
    shares = curve.series[0].y
    assert (np.diff(shares) >= 0).all() and shares[-1] <= 100 + 1e-9
    assert curve.x[-1] == 400 == steps[-1].metrics["evaluations"]
