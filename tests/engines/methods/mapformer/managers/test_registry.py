"""Every manager keeps the rules that all have."""

import numpy as np
import pytest

from engines.methods.mapformer.managers.registry import MANAGERS, manager_of
from engines.methods.mapformer.params import MapFormerParams
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import drawn_board


@pytest.mark.parametrize("name", MANAGERS)
def test_rounds_repeat_and_mappings_can_run(name: str) -> None:
    board = drawn_board(np.random.default_rng(2), networks=3, units=3, layers=6, clocks=3)
    first, second = (manager_of(name, task(board, 2, 14.0, 9000)) for _ in range(2))
    state: dict[str, object] = {}
    for number in range(min(first.rounds, 3)):
        one, other = first.round(number, state), second.round(number, state)
        np.testing.assert_array_equal(one.mappings.units, other.mappings.units)
        np.testing.assert_array_equal(one.steady.power_w, other.steady.power_w)
        assert one.steady.valid.all()
        state = dict(one.state)


@pytest.mark.parametrize("name", ["gpu", "genetic", "mosaic", "odmdef", "omniboost"])
def test_rivals_leave_accelerators_alone(name: str) -> None:
    board = drawn_board(np.random.default_rng(3), networks=3, units=3, layers=6, clocks=2)
    assert set(np.unique(manager_of(name, task(board)).round(0, {}).mappings.units).tolist()) <= {0, 1}


def test_every_manager_can_be_chosen() -> None:
    schema = MapFormerParams.model_json_schema()["properties"]["manager"]
    assert set(schema["enum"]) == set(MANAGERS) == set(schema["choices"])
