"""What decisions show beside figures."""

import pytest

from engines.contract.decision_columns import decided_cells
from engines.contract.limits import LIMIT_SLACK
from engines.methods.map_and_conquer.quantities import DECISION_COLUMNS, LIMITS, OBJECTIVES, QUANTITIES


def test_shares_are_of_all_steps_and_reuse_counts_layers() -> None:
    decision = {
        "units": ["gpu", "dla"], "clocks_mhz": {"gpu": 1377.0}, "partition": [[4, 8, 6], [4, 0, 2]], "reuse": [[1, 0, 1]],
    }  # fmt: skip
    assert decided_cells(DECISION_COLUMNS, decision) == {
        "units": ("gpu", "dla"), "clocks_mhz.gpu": 1377.0, "reused": 2.0,
        "shares.stage 1": pytest.approx(75.0), "shares.stage 2": pytest.approx(25.0),
    }  # fmt: skip


def test_limits_are_on_columns_and_objectives_span_the_front() -> None:
    columns = {each.name: each for each in QUANTITIES}
    assert {limit.column for limit in LIMITS} <= set(columns)
    assert tuple(each.name for each in QUANTITIES if each.role == "objective") == OBJECTIVES
    lower = {limit.column for limit in LIMITS if not limit.upper}
    assert lower == {"accuracy_percent", "reuse_percent"} and LIMIT_SLACK in QUANTITIES
