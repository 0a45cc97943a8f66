"""Decisions, there and back, and those of people."""

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.contract.limits import minimum_slack
from engines.methods.mapformer.problem.decision import columns_of, decoded, encoded
from engines.methods.mapformer.problem.instance import instance_of
from engines.simulation.board import Mappings
from tests.engines.methods.mapformer.problems import mix_problem

INSTANCE = instance_of(mix_problem({"segments": 2}))
LIMITED = instance_of(mix_problem({"segments": 2, "power_limit_w": 20.0}))
WHOLE: dict[str, Any] = {"networks": [[[4, "gpu"]], [[3, "cpu"]]], "clocks_mhz": {"cpu": 1190, "gpu": 1377}}
CUT: dict[str, Any] = {
    "networks": [[[2, "gpu"], [4, "cpu"]], [[1, "gpu"], [3, "gpu"]]],
    "clocks_mhz": {"cpu": 1190, "gpu": 1377},
}
GOOD: dict[str, Any] = {
    "networks": [[[2, "gpu"], [4, "dla-1"]], [[3, "cpu"]]],
    "clocks_mhz": {"cpu": 1190, "gpu": 1377, "dla-1": 550},
}


def test_there_and_back() -> None:
    drawn = INSTANCE.space.drawn(np.random.default_rng(0), 50)
    for row in np.arange(50)[:, None]:
        again = decoded(INSTANCE, encoded(INSTANCE, drawn.take(row)))
        for name in Mappings.__dataclass_fields__:
            np.testing.assert_array_equal(getattr(again, name), getattr(drawn, name)[row])


def test_a_decision_of_ones_own() -> None:
    found = decoded(INSTANCE, GOOD)
    assert found.steps.tolist() == [[1, 2, 1, 0]] and found.units.tolist() == [[[1, 2], [0, 0]]]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"other": 1}, "decision.other"),
        ({"networks": None}, "decision.networks"),
        ({"networks": [[[4, "gpu"]]]}, "decision.networks"),
        ({"networks": [[[2, "gpu"]], [[3, "cpu"]]]}, "decision.networks.0"),
        ({"networks": [[[9, "gpu"]], [[3, "cpu"]]]}, "decision.networks.0.0"),
        ({"networks": [[[4, "dla-2"]], [[3, "cpu"]]]}, "decision.networks.0.0"),
        ({"networks": [[[1, "gpu"], [2, "cpu"], [4, "gpu"]], [[3, "cpu"]]]}, "decision.networks.0"),
        ({"networks": ["gpu", [[3, "cpu"]]]}, "decision.networks.0"),
        ({"clocks_mhz": {"tpu": 5}}, "decision.clocks_mhz"),
        ({"clocks_mhz": {"cpu": 5}}, "decision.clocks_mhz.cpu"),
        ({"clocks_mhz": {"cpu": True}}, "decision.clocks_mhz.cpu"),
        ({"clocks_mhz": {"cpu": "fast"}}, "decision.clocks_mhz.cpu"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], field: str) -> None:
    with pytest.raises(DecisionError) as caught:
        decoded(INSTANCE, {**GOOD, **change})
    assert caught.value.field == field


def mappings(*decisions: dict[str, Any]) -> Mappings:
    return Mappings.joined(*(decoded(LIMITED, decision) for decision in decisions))


def test_a_hand_over_between_two_units_is_a_cut_and_one_within_a_unit_is_none() -> None:
    assert columns_of(LIMITED, mappings(WHOLE, CUT))["cuts"].tolist() == [0.0, 1.0]


def test_columns_follow_from_each_other() -> None:
    columns = columns_of(LIMITED, mappings(WHOLE, CUT))
    # Inferences of both networks together.
    np.testing.assert_allclose(columns["inferences_per_j"], 2 * columns["throughput_per_s"] / columns["power_w"])
    np.testing.assert_allclose(minimum_slack(LIMITED.allowed, columns), 1 - columns["power_w"] / 20.0)
    assert (columns["slowest_per_s"] <= columns["throughput_per_s"]).all()
    assert (columns["bound_fraction"] <= 1 + 1e-9).all() and (columns["bound_fraction"] > 0).all()


def test_drawn_mappings_are_worth_the_same_by_their_decisions() -> None:
    drawn = LIMITED.space.drawn(np.random.default_rng(3), 20)
    again = columns_of(LIMITED, mappings(*(encoded(LIMITED, drawn.take(np.array([row]))) for row in range(20))))
    for name, values in columns_of(LIMITED, drawn).items():
        np.testing.assert_array_equal(again[name], values, name)


def test_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(DecisionError, match="segments"):
        decoded(LIMITED, {**WHOLE, "networks": [[[4, "gpu"]]]})
