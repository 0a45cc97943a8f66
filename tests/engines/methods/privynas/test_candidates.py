"""Which networks a search ends with, of probabilities made up, and within the memory of a device."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.methods.privynas.candidates import candidates, cheapest, keeps_limits, smallest
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.engine import PrivynasEngine
from engines.methods.privynas.instance import instance_of
from engines.methods.privynas.quantities import MEMORY
from engines.running.context import LocalContext
from engines.running.inspection import plan as plan_of
from tests.engines.methods.privynas.problems import privynas_problem


class Candidate:
    """The second cut is the likeliest; what is drawn is always the same."""

    DRAWN = Choice((1, 1, 1), 1, 50.0)

    def cuts(self) -> FloatArray:
        return np.array([0.2, 0.5, 0.3])

    def likeliest(self, position: int, epsilon: float) -> Choice:
        return Choice((0, 0, 0), position, epsilon)

    def draw(self, stream: np.random.Generator) -> Choice:
        return self.DRAWN


def test_probable_cuts_come_first_by_turns_with_what_is_drawn() -> None:
    problem = privynas_problem({"designs": 20})
    found = candidates(instance_of(problem), Candidate(), LocalContext(problem))
    likeliest = [Choice((0, 0, 0), position, epsilon) for position in (2, 3, 1) for epsilon in (2.8, 50.0)]
    assert found == [likeliest[0], Candidate.DRAWN, *likeliest[1:]]
    few = privynas_problem({"designs": 3})
    assert candidates(instance_of(few), Candidate(), LocalContext(few)) == found[:3]


def test_what_passes_a_limit_is_left_out_and_the_cheapest_stands_in_for_none() -> None:
    costs = instance_of(privynas_problem()).costs
    between = (costs.of((0, 0, 0), 2)[0] + costs.of((0, 0, 0), 1)[0]) / 2
    problem = privynas_problem({"designs": 20, "latency_limit_s": between})
    instance = instance_of(problem)
    found = candidates(instance, Candidate(), LocalContext(problem))
    assert found and all(keeps_limits(instance, each) for each in found)
    assert {each.position for each in found} < {1, 2, 3}
    none = privynas_problem({"latency_limit_s": 1e-9})
    assert candidates(instance_of(none), Candidate(), LocalContext(none)) == [cheapest(instance_of(none))]


def test_nothing_is_cheaper_than_the_cheapest() -> None:
    instance = instance_of(privynas_problem({"depth": 2}))
    counts = [range(len(block.operations)) for block in instance.space.blocks]
    everything = [(ops, at) for ops in itertools.product(*counts) for at in instance.positions]
    for of in (0, 1):
        choice = cheapest(instance, of)
        least = min(instance.costs.of(*each)[of] for each in everything)
        assert instance.costs.of(choice.operations, choice.position)[of] == least
        assert choice.epsilon == 2.8


def on_tx2_of(capacity_bytes: float, params: dict[str, Any] | None = None) -> Problem[Any]:
    tx2 = get_builtin("hardware", "jetson-tx2")
    memory = {**tx2.content["memory"], "capacities_gib": [capacity_bytes / 2**30]}
    return privynas_problem(params, hardware=replace(tx2, content={**tx2.content, "memory": memory}))


def test_the_capacity_of_the_device_limits_designs_and_can_be_lifted() -> None:
    needs = instance_of(privynas_problem()).memory_bytes
    assert MEMORY not in instance_of(privynas_problem()).allowed  # 8 GiB hold every design
    problem = on_tx2_of(needs((0, 0, 0), 2), {"designs": 20})
    found = candidates(instance_of(problem), Candidate(), LocalContext(problem))
    assert {each.position for each in found} == {1, 2}
    lifted = on_tx2_of(needs((0, 0, 0), 2), {"designs": 20, "memory_limit_mb": 10})
    assert {each.position for each in candidates(instance_of(lifted), Candidate(), LocalContext(lifted))} == {1, 2, 3}


def test_the_smallest_design_stands_in_where_nothing_likely_fits() -> None:
    class Large(Candidate):
        def likeliest(self, position: int, epsilon: float) -> Choice:
            return self.DRAWN

    need = instance_of(privynas_problem()).memory_bytes((0, 0, 0), 1)
    problem = on_tx2_of(need)
    instance = instance_of(problem)
    assert candidates(instance, Large(), LocalContext(problem)) == [smallest(instance)] == [Choice((0, 0, 0), 1, 2.8)]


def test_the_plan_says_that_no_design_fits() -> None:
    problem = on_tx2_of(1000)
    (line,) = [each for each in plan_of(problem, PrivynasEngine()).checks if not each.ok]
    assert line.hopeless and line.text.startswith(
        "Memory of the device of at most 0.001\N{NO-BREAK SPACE}MB: no design needs"
    )
