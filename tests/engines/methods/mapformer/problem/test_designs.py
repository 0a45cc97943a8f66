"""Columns of mappings by hand, and decisions simulated again."""

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.contract.limits import minimum_slack
from engines.methods.mapformer.problem.decision import decoded, encoded
from engines.methods.mapformer.problem.designs import columns_of
from engines.methods.mapformer.problem.instance import instance_of
from engines.simulation.board import Mappings
from tests.engines.methods.mapformer.problems import mix_problem

INSTANCE = instance_of(mix_problem({"segments": 2, "power_limit_w": 20.0}))
WHOLE: dict[str, Any] = {"networks": [[[4, "gpu"]], [[3, "cpu"]]], "clocks_mhz": {"cpu": 1190, "gpu": 1377}}
CUT: dict[str, Any] = {
    "networks": [[[2, "gpu"], [4, "cpu"]], [[1, "gpu"], [3, "gpu"]]],
    "clocks_mhz": {"cpu": 1190, "gpu": 1377},
}


def mappings(*decisions: dict[str, Any]) -> Mappings:
    return Mappings.joined(*(decoded(INSTANCE, decision) for decision in decisions))


def test_a_hand_over_between_two_units_is_a_cut_and_one_within_a_unit_is_none() -> None:
    assert columns_of(INSTANCE, mappings(WHOLE, CUT))["cuts"].tolist() == [0.0, 1.0]


def test_columns_follow_from_each_other() -> None:
    columns = columns_of(INSTANCE, mappings(WHOLE, CUT))
    # Inferences of both networks together.
    np.testing.assert_allclose(columns["inferences_per_j"], 2 * columns["throughput_per_s"] / columns["power_w"])
    np.testing.assert_allclose(minimum_slack(INSTANCE.allowed, columns), 1 - columns["power_w"] / 20.0)
    assert (columns["slowest_per_s"] <= columns["throughput_per_s"]).all()
    assert (columns["bound_fraction"] <= 1 + 1e-9).all() and (columns["bound_fraction"] > 0).all()


def test_drawn_mappings_are_worth_the_same_by_their_decisions() -> None:
    drawn = INSTANCE.space.drawn(np.random.default_rng(3), 20)
    again = columns_of(INSTANCE, mappings(*(encoded(INSTANCE, drawn.take(np.array([row]))) for row in range(20))))
    for name, values in columns_of(INSTANCE, drawn).items():
        np.testing.assert_array_equal(again[name], values, name)


def test_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(DecisionError, match="segments"):
        decoded(INSTANCE, {**WHOLE, "networks": [[[4, "gpu"]]]})
