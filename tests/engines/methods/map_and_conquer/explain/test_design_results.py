"""What is shown of a design agrees with what was scored."""

from __future__ import annotations

from typing import TypeVar

import pytest

from engines.contract.results import Matrix, Result, Table
from engines.methods.map_and_conquer.decision import decoded
from engines.methods.map_and_conquer.explain.design_results import explain_design
from engines.methods.map_and_conquer.problem.instance import CutInstance, instance_of
from tests.engines.methods.map_and_conquer.problems import cut_problem

Kind = TypeVar("Kind", bound=Result)
DECISION = {"units": ["dla", "gpu"], "partition": [[2, 2, 2, 2], [2, 2, 2, 2]], "reuse": [[1, 0, 1, 1]]}


@pytest.fixture(scope="module")
def instance() -> CutInstance:
    return instance_of(cut_problem({"partition_steps": 4, "clocks": "fixed"}))


def the(kind: type[Kind], results: tuple[Result, ...], name: str) -> Kind:
    return next(each for each in results if isinstance(each, kind) and each.name == name)


def test_the_matrix_of_reuse_shows_the_share_that_is_handed_on(instance: CutInstance) -> None:
    results = explain_design(instance, decoded(instance, DECISION))
    assert the(Matrix, results, "reuse").values.tolist() == [[0.5, 0.0, 0.5, 0.5]]
    assert (the(Matrix, results, "partition").values == 0.5).all()
    stages = the(Table, results, "stages")
    assert sum(float(value) for value in stages.table_columns[-1].values) == pytest.approx(1.0)
