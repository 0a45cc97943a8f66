from __future__ import annotations

import numpy as np

from engines.methods.package_search.search.scheduling import PackageBound


def test_points_are_of_the_chosen_objectives() -> None:
    bound = PackageBound(np.array([1.0, 2.0]), np.array([5.0, 3.0]), 7.0, 9.0)
    assert bound.points(("latency", "edp", "area", "cost")).tolist() == [[1.0, 5.0, 7.0, 9.0], [2.0, 6.0, 7.0, 9.0]]
    assert bound.least_edp_js == 5.0
