"""Room to limits."""

from __future__ import annotations

import pytest

from engines.methods.map_and_conquer.problem.limits import limits_of
from tests.engines.methods.map_and_conquer.problems import cut_problem


@pytest.mark.parametrize(("most", "entries", "kept"), [(75.0, 80, 60), (50.0, 34, 17), (75.0, 34, 25), (100.0, 34, 34)])
def test_the_limit_itself_may_be_reused(most: float, entries: int, kept: int) -> None:
    assert limits_of(cut_problem({"reuse_most_percent": most}).params, entries).most_reused == kept
