"""Tables of the costs of parts against the cost model of whole networks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.map_and_conquer.model.cut_costs import cut_costs
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


def test_every_share_of_a_batch_is_priced_by_the_cost_model() -> None:
    instance = instance_of(cut_problem({"clock_steps": 2}))
    network, model, settings = instance.network, instance.pricing.model, instance.settings
    found = cut_costs(network, model, settings, 4, 1, batch=3)
    assert found.latency_s.shape == found.energy_j.shape == (len(network.names), len(found.units), len(settings), 5, 5)
    assert found.steps == 4 and found.reasons == {}
    for written in range(5):
        for read in range(5):
            if read and written in (1, 4):  # one step at most where there are several stages, or all
                table = network.scaled(written / 4, read / 4)
                part = model.costs(table, settings, batch=3, groups=network.starts, partial=True)
                np.testing.assert_array_equal(found.latency_s[..., written, read], part.latency_s)
                np.testing.assert_array_equal(found.energy_j[..., written, read], part.energy_j)
            else:
                assert np.isnan(found.latency_s[..., written, read]).all()
        moved = model.transitions(network.scaled(written / 4, 1.0), settings, batch=3)
        rows = list(network.last_operations)
        np.testing.assert_array_equal(found.transfer_s[:, :, written], moved.latency_s[rows] if written else 0.0)
        np.testing.assert_array_equal(found.transfer_j[:, :, written], moved.energy_j[rows] if written else 0.0)
    # 28 x 28 features of 16 channels, three samples of two bytes.
    assert found.feature_bytes[0].tolist() == [6 * 784 * 4 * share for share in range(5)]
    assert cut_costs(network, model, settings, 4, 1).feature_bytes[0, 4] == 2 * 784 * 16


def test_a_unit_that_cannot_run_a_layer_says_why() -> None:
    instance = instance_of(cut_problem({"clocks": "fixed"}))
    table = instance.network.operations
    network = replace(instance.network, operations=replace(table, kinds=("roialign", *table.kinds[1:])))
    found = cut_costs(network, instance.pricing.model, instance.settings, 2, 1)
    assert found.able == () and set(found.reasons) == set(found.units)
    assert all("roialign" in why for why in found.reasons.values())
