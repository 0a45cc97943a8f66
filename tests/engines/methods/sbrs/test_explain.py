from __future__ import annotations

import numpy as np

from engines.contract.results import LayerGraph, Matrix, Schedule, Table
from tests.engines.methods.sbrs.problems import explained


def test_it_shows_what_is_shared_and_how_it_switches() -> None:
    results = explained(mission=False)
    assert isinstance(results["supergraph"], LayerGraph) and isinstance(results["schedule"], Schedule)
    matrix, naive = results["response"], results["response-naive"]
    assert isinstance(matrix, Matrix) and isinstance(naive, Matrix)
    assert np.nanmax(matrix.values - naive.values) <= 0
    table = results["components"]
    assert isinstance(table, Table)
    assert sum(text.startswith("op hyp") for text in table.table_columns[4].values) > 0  # type: ignore[union-attr]
    assert "mission-power" not in results and "chain" in results
