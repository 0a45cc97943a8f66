"""Mixes that are drawn."""

from engines.methods.mapformer.reproduction.mixes import problem_of
from engines.workloads.families.image_mixes import drawn_mix
from engines.workloads.network import Scenario


def test_a_mix_becomes_a_problem() -> None:
    problem = problem_of(drawn_mix(6, 0), 15.0)
    assert len(problem.value("workload", Scenario).models) == 6 and problem.params.model_dump()["power_limit_w"] == 15.0
