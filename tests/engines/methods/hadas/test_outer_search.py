from __future__ import annotations

from engines.testing.conformance import TinyProblem, run_all
from tests.engines.methods.hadas.problems import space_problem


def test_the_space_ends_with_what_a0_to_a6_reach_by_the_same_search() -> None:
    last = run_all(TinyProblem(space_problem({"evaluations": 8})))[-1]
    tables = {result.name: result for result in last.results}
    assert set(tables) == {"baselines", "inner-searches"}
    columns = {column.title: column.values for column in tables["inner-searches"].table_columns}
    for words in ("without dissimilarity", "with dissimilarity"):
        assert all(0 < share <= 1 + 1e-9 for share in columns[f"Share of the exact hypervolume {words}"])
