from __future__ import annotations

import pytest

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.reconfig import LayerRange
from tests.engines.chiplets.cases import package, tables


def test_where_no_mapping_is_found_the_run_ends_with_a_result() -> None:
    row = package(1, 3, sides=("left",))
    built = tables({"a": [[1], [1]], "b": [[1], [1]]}, {"model_chiplets": "b: 1 2"}, on=row)
    windows = ((LayerRange(0, 0, 1),), (LayerRange(1, 0, 1),))  # a has one layer: it starts and ends on chiplet 0
    with pytest.raises(DeadEndError):
        search_greedily(built, windows, Goal("edp"))
