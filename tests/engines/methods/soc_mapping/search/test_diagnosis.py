from __future__ import annotations

import pytest

from engines.testing import conformance
from engines.testing.conformance import TinyProblem
from tests.engines.methods.soc_mapping.problems import front_of, mapping_problem, run, searched, tiny_network


@pytest.mark.parametrize(
    ("params", "limit", "field"),
    [
        ({"latency_limit_s": 1e-4}, "latency of a mapping", "params.latency_limit_s"),
        ({"energy_limit_j": 1e-4}, "energy of a mapping", "params.energy_limit_j"),
        ({"power_limit_w": 0.1}, "average power of a mapping", "params.power_limit_w"),
        (
            {"transition_limit": 0, "unit_rules": "block0: gpu; block1: dla"},
            "unit transitions of a mapping",
            "params.transition_limit",
        ),
        (
            {"latency_slack_percent": 0, "power_limit_w": 4.0},
            "average power of a mapping within the limits on latency",
            "params.power_limit_w",
        ),
    ],
)
def test_what_a_limit_would_need_is_told_and_enough(params: dict[str, object], limit: str, field: str) -> None:
    problem = mapping_problem(params, tiny_network())
    infeasible = conformance.check_impossible(TinyProblem(problem, impossible=problem))
    assert (infeasible.limit, infeasible.remedies[0][1]) == (limit, field)
    name = field.removeprefix("params.")
    demand = infeasible.demand
    mended = params | {name: int(demand) if name == "transition_limit" else demand * (1 + 1e-9)}
    assert len(front_of(searched(run(mapping_problem(mended, tiny_network())))))
    short = params | {name: int(demand) - 1 if name == "transition_limit" else demand * (1 - 1e-6)}
    if short[name] != -1:
        assert run(mapping_problem(short, tiny_network()))[-1].infeasible is not None
