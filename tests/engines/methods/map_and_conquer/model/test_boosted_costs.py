"""Boosted trees against the cost model that they learnt from."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Table
from engines.methods.map_and_conquer.model.boosted_costs import trained
from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.testing.conformance import run_all
from tests.engines.methods.map_and_conquer.problems import cut_problem, tiny


def test_few_trees_already_order_layers() -> None:
    instance = instance_of(cut_problem({"clocks": "fixed", "partition_steps": 4}))
    model = instance.pricing.model
    found = trained(model, ("gpu",), instance.network, instance.settings, trees=20, layers=300)
    again = trained(model, ("gpu",), instance.network, instance.settings, trees=20, layers=300)
    assert found.errors == again.errors
    for error, correlation in found.errors.values():
        assert 0 < error < 0.5 and correlation > 0.9
    costs = found.applied(instance.highest, instance.network, model, instance.settings)
    known = np.isfinite(instance.highest.latency_s)
    assert (np.isfinite(costs.latency_s) == known).all()
    assert (costs.latency_s[known] > 0).all()
    assert costs.transfer_s is instance.highest.transfer_s
    own = found.table(costs, instance.highest)
    assert len(own.table_columns[0].values) == 2 and np.all(np.asarray(own.table_columns[-1].values, float) > 0)


@pytest.mark.long
def test_a_run_with_trees_says_how_far_they_are_off() -> None:
    params = {"estimates": "boosted", "clocks": "fixed", "evaluations": 200}
    steps = run_all(tiny(), problem=cut_problem(params, "vgg19"))
    table = next(each for each in steps[0].results if isinstance(each, Table) and each.name == "trees")
    errors = np.asarray(table.table_columns[2].values, float)
    assert (errors < 0.1).all() and steps[-1].fraction == 1.0
