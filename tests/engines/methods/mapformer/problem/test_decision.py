"""Decisions, there and back, and those of people."""

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.mapformer.problem.decision import decoded, encoded
from engines.methods.mapformer.problem.instance import instance_of
from engines.simulation.board import Mappings
from tests.engines.methods.mapformer.problems import mix_problem

INSTANCE = instance_of(mix_problem({"segments": 2}))
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
