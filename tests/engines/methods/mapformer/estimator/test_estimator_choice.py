"""Which estimator a problem has."""

import pytest

from engines.contract.errors import ProblemError
from engines.methods.mapformer.estimator.estimator_choice import estimator_of
from engines.methods.mapformer.problem.instance import instance_of
from tests.engines.methods.mapformer.problems import mix_problem


def test_a_manager_that_asks_none_gets_none() -> None:
    problem = mix_problem({"manager": "ours"})
    assert estimator_of(problem, instance_of(problem)) is None


def test_a_manager_that_asks_one_gets_that_of_its_board() -> None:
    problem = mix_problem({"manager": "mapformer", "clock_choices": ""})
    found = estimator_of(problem, instance_of(problem))
    assert found is not None and found.board == "jetson-agx-xavier"


def test_a_mix_in_more_segments_than_it_takes_is_refused() -> None:
    usual = mix_problem({"manager": "mapformer", "clock_choices": ""})
    found = estimator_of(usual, instance_of(usual))
    assert found is not None
    problem = mix_problem({"manager": "mapformer", "clock_choices": "", "segments": found.segments + 1})
    with pytest.raises(ProblemError) as error:
        estimator_of(problem, instance_of(problem))
    assert error.value.field == "params.segments" and f"at most {found.segments}" in str(error.value)
