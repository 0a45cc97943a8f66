"""Mixes that are drawn."""

from engines.methods.mapformer.reproduction.mixes import drawn_mix, problem_of
from engines.workloads.network import Scenario


def test_mixes_are_the_same_every_time_and_have_no_network_twice() -> None:
    mix = drawn_mix(10, 3)
    assert mix == drawn_mix(10, 3) != drawn_mix(10, 4)
    assert len(set(mix)) == 10


def test_a_mix_becomes_a_problem() -> None:
    problem = problem_of(drawn_mix(6, 0), 15.0)
    assert len(problem.value("workload", Scenario).models) == 6 and problem.params.model_dump()["power_limit_w"] == 15.0
