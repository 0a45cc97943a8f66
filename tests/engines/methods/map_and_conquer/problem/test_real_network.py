from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.methods.map_and_conquer.problem.instance import instance_of
from tests.engines.methods.map_and_conquer.problems import chain, cut_problem


def test_nothing_is_built_where_nothing_is_asked_for() -> None:
    assert instance_of(cut_problem({"clocks": "fixed"}, "visformer-small")).real is None


def test_data_that_do_not_fit_are_named() -> None:
    with pytest.raises(ProblemError, match="3 x 28 x 28 and 10 classes") as refused:
        instance_of(cut_problem({"finalists": 1, "clocks": "fixed"}, chain()))
    assert refused.value.field == "inputs.data"
