import numpy as np
import pytest

from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.methods.map_and_conquer.search.generations import CutGenerations
from engines.running.context import LocalContext
from tests.engines.methods.map_and_conquer.problems import cut_problem


@pytest.mark.parametrize(("method", "columns"), [("published", 4), ("nsga2", 3)])
def test_only_the_published_evolution_looks_at_p(method: str, columns: int) -> None:
    problem = cut_problem({"method": method, "evaluations": 24, "population": 10, "partition_steps": 4})
    search = CutGenerations(instance_of(problem), problem.params, LocalContext(problem))
    scored = []
    for genes in search.asked(lambda: False):
        rated, scores = search.rate(genes)
        assert rated.costs.shape == (len(genes), columns)
        if columns == 4:
            np.testing.assert_array_equal(rated.costs[:, 3], scores.performance_js)
        search.tell(rated)
        scored.append(len(genes))
    assert sum(scored) == search.scored == 24 and scored[0] == 10
