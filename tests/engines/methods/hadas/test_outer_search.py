from __future__ import annotations

import pytest

from engines.methods.hadas.quantities import QUANTITIES
from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.hadas.problems import space_problem


def test_the_space_ends_with_what_a0_to_a6_reach_by_the_same_search() -> None:
    last = run_all(TinyProblem(space_problem({"evaluations": 8})))[-1]
    tables = {result.name: result for result in last.results}
    assert set(tables) == {"baselines", "inner-searches"}
    columns = {column.title: column.values for column in tables["inner-searches"].table_columns}
    for words in ("without dissimilarity", "with dissimilarity"):
        assert all(0 < share <= 1 + 1e-9 for share in columns[f"Share of the exact hypervolume {words}"])


@pytest.mark.parametrize("found", [False, True])
def test_the_search_reaches_the_baselines_that_count_as_its_results(found: bool) -> None:
    designs = designs_of(run_all(TinyProblem(space_problem({"baselines_found": found, "evaluations": 4}))))
    costs = designs.matrix(("accuracy_percent", "latency_s", "energy_j")) * [-1, 1, 1]
    front = costs[designs.front(QUANTITIES)]
    reached = [(front <= each).all(axis=1).any() for each in costs[designs.of_origin("baseline")]]
    assert all(reached) == found
