from __future__ import annotations

import numpy as np

from engines.contract.results import Schedule, Table
from engines.running.inspection import explain
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


def test_explain_tells_where_blocks_run_and_when_they_are_handed_over() -> None:
    problem = mapping_problem(None, tiny_network())
    decision = {"units": ["gpu", "dla", "dla", "dla", "dla", "gpu"]}
    results = explain(problem, decision)
    schedule = next(result for result in results if isinstance(result, Schedule))
    assert [lane.title for lane in schedule.lanes] == ["GPU", "DLA"]
    kinds = [schedule.kinds[kind] for kind in schedule.bar_kind]
    assert kinds.count("compute") == 6 and kinds.count("transfer") == 2
    np.testing.assert_allclose(schedule.bar_start_s[1:], schedule.bar_end_s[:-1])
    blocks = next(result for result in results if isinstance(result, Table) and result.name == "blocks")
    assert blocks.table_columns[1].values == ("GPU", "DLA", "DLA", "DLA", "DLA", "GPU")
