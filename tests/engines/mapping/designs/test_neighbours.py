from __future__ import annotations

import pytest

from engines.contract.errors import DecisionError
from engines.mapping.designs.neighbours import neighbouring_mappings
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.running.inspection import evaluate
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


def test_each_block_goes_to_each_other_unit_and_all_are_mappings() -> None:
    problem = mapping_problem(None, tiny_network())
    units = ["gpu", "gpu", "dla", "dla", "dla", "gpu"]
    found = list(neighbouring_mappings(instance_of(problem), {"units": units}))
    assert len(found) == 6, "one setting of clocks, two units, six blocks"
    assert all(sum(one != other for one, other in zip(each["units"], units, strict=True)) == 1 for each in found)
    assert len(evaluate(problem, found)) == 6


def test_clocks_that_are_searched_are_changed_one_by_one() -> None:
    problem = mapping_problem({"clocks": "searched", "clock_steps": 3}, tiny_network())
    found = list(neighbouring_mappings(instance_of(problem), {"units": ["gpu"] * 6}))
    clocks = [each["clocks_mhz"] for each in found if "clocks_mhz" in each]
    assert len(clocks) > 3 and len({tuple(sorted(each.items())) for each in clocks}) == len(clocks)
    assert len(evaluate(problem, found)) == len(found)


def test_what_is_no_mapping_has_no_neighbours() -> None:
    with pytest.raises(DecisionError):
        list(neighbouring_mappings(instance_of(mapping_problem(None, tiny_network())), {"units": ["gpu"]}))
