"""Tables of the costs of parts against the cost model of whole networks."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.map_and_conquer.problem.instance import instance_of
from tests.engines.methods.map_and_conquer.problems import cut_problem


def test_the_whole_layer_costs_what_the_cost_model_says() -> None:
    instance = instance_of(cut_problem({"clock_steps": 2}))
    model = instance.pricing.model.costs(
        instance.pricing.operations, instance.settings, groups=instance.network.starts, partial=True
    )
    np.testing.assert_array_equal(instance.costs.latency_s[..., 8, 8], model.latency_s)
    np.testing.assert_array_equal(instance.costs.energy_j[..., 8, 8], model.energy_j)


def test_smaller_parts_cost_less_but_more_than_their_share() -> None:
    costs = instance_of(cut_problem({"clocks": "fixed"})).costs
    read = costs.latency_s[1:-1, :, 0, 1:8, 8]  # whole input, ever more outputs
    assert (np.diff(read, axis=2) >= 0).all()
    assert (read[..., 3] > costs.latency_s[1:-1, :, 0, 8, 8] / 2).all()
    assert np.isnan(costs.latency_s[:, :, :, 0]).all()


def test_transfers_grow_with_the_features() -> None:
    costs = instance_of(cut_problem({"clocks": "fixed"})).costs
    assert (costs.transfer_s[:, 0, 0] == 0).all()
    assert (np.diff(costs.transfer_s[:, 0, 1:], axis=1) > 0).all()
    # 28 x 28 features of 16 and 32 channels, two bytes each.
    assert costs.feature_bytes[:2, 8] == pytest.approx([28 * 28 * 16 * 2, 28 * 28 * 32 * 2])
