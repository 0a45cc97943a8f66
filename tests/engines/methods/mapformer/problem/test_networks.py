"""Networks and devices as a board."""

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.methods.mapformer.problem.instance import instance_of
from tests.engines.methods.mapformer.problems import mix, mix_problem


def test_units_of_a_kind_stand_by_themselves() -> None:
    board = instance_of(mix_problem()).board
    assert [unit.name for unit in board.units] == ["cpu", "gpu", "dla-1", "dla-2"]
    assert board.step_counts.tolist() == [2, 2, 2, 2]
    assert board.units[1].dynamic_w[-1] == pytest.approx(15.0) and board.units[1].idle_w == 0.5


def test_terms_of_the_scenario_count() -> None:
    one, plain = (
        instance_of(mix_problem(workload=mix((3, 16), (2, 32), rate_fps=30.0, priority=2))).board,
        instance_of(mix_problem()).board,
    )
    assert one.most_per_s.tolist() == [30.0, np.inf] and one.weights.tolist() == [0.5, 1.0]
    batched = instance_of(mix_problem(workload=mix((3, 16), (2, 32)))).board
    np.testing.assert_array_equal(batched.time_s, plain.time_s)


def test_operators_that_a_unit_cannot_run_stay_off_it() -> None:
    board = instance_of(mix_problem(workload="vit-b-16")).board
    assert (board.reach[0, 2] < board.layers[0]).any() and (board.reach[0, 1] == board.layers[0]).all()


@pytest.mark.parametrize(
    ("params", "workload", "field"),
    [
        ({}, mix(*[(2, 8)] * 11), "inputs.workload.models"),
        ({"clock_choices": "gpu: 5"}, None, "params.clock_choices"),
        ({"clock_choices": "memory: 2133"}, None, "params.clock_choices"),
    ],
)
def test_what_cannot_be_is_refused(params: dict[str, str], workload: object, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        instance_of(mix_problem(params, workload))  # type: ignore[arg-type]
    assert caught.value.field == field


def test_a_device_without_power_is_refused() -> None:
    with pytest.raises(ProblemError) as caught:
        instance_of(mix_problem(hardware="jetson-tx2"))
    assert "power" in str(caught.value)
