from __future__ import annotations

from typing import TypeVar

import pytest

from engines.contract.results import Result, Table
from engines.methods.map_and_conquer.decision import decoded
from engines.methods.map_and_conquer.explain.design_results import explain_design
from engines.methods.map_and_conquer.problem.instance import CutInstance, instance_of
from tests.engines.methods.map_and_conquer.problems import cut_problem

Kind = TypeVar("Kind", bound=Result)


@pytest.fixture(scope="module")
def instance() -> CutInstance:
    return instance_of(cut_problem({"partition_steps": 4, "clocks": "fixed"}))


def the(kind: type[Kind], results: tuple[Result, ...], name: str) -> Kind:
    return next(each for each in results if isinstance(each, kind) and each.name == name)


def test_one_stage_is_shown_as_the_whole_network(instance: CutInstance) -> None:
    results = explain_design(instance, decoded(instance, {"units": ["gpu"], "partition": [[4, 4, 4, 4]], "reuse": []}))
    assert the(Table, results, "stages").table_columns[0].values == ("Whole network on GPU",)
    assert not any(each.name == "reuse" for each in results)
