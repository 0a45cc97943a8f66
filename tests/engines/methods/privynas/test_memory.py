"""Memory of the device's side, by hand and against the capacity of a device."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.methods.privynas.candidates import candidates, smallest
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.costs import extreme, needed_bytes
from engines.methods.privynas.engine import PrivynasEngine
from engines.methods.privynas.instance import instance_of
from engines.methods.privynas.quantities import MEMORY
from engines.methods.privynas.space import Block, InvertedResidual, PrivacySpace
from engines.running.context import LocalContext
from engines.running.prepared_problems import plan_of
from tests.engines.methods.privynas.problems import privynas_problem
from tests.engines.methods.privynas.test_candidates import Candidate


def test_weights_add_up_and_what_is_held_at_the_same_time_comes_on_top() -> None:
    # 4 channels of 8 x 8, widened to 12; then 6 channels of 4 x 4. Every normalisation has 2 weights a channel.
    blocks = (Block(4, 4, 8, 8, (InvertedResidual(3, 3), None)), Block(4, 6, 8, 4, (InvertedResidual(5, 3),)))
    space = PrivacySpace(1, 8, classes=10, stem=4, head=16, blocks=blocks)
    stem = 9 * 4 + 8
    first = (48 + 24) + (9 * 12 + 24) + (48 + 8)
    second = (48 + 24) + (25 * 12 + 24) + (72 + 12)
    assert needed_bytes(space, (0, 0), 1, 2) == 2 * (
        stem + first + 256 + 768 + 768
    )  # depthwise, and the shortcut waits
    assert needed_bytes(space, (0, 0), 2, 4) == 4 * (stem + first + second + 256 + 768 + 768)
    assert needed_bytes(space, (1, 0), 2, 4) == 4 * (stem + second + 256 + 768)  # widening; nothing waits
    assert needed_bytes(space, (1, 0), 1, 4) == 4 * (stem + 2 * 256)  # the map and its noise


def test_no_design_needs_less_than_the_smallest_or_more_than_the_largest() -> None:
    instance = instance_of(privynas_problem({"depth": 2, "kernel": "any", "precision": "fp16"}))
    every = itertools.product(*(range(len(block.operations)) for block in instance.space.blocks[:2]))
    needs = [needed_bytes(instance.space, each, 2, 2) for each in every]
    for choose in (min, max):
        assert choose(needs) == instance.memory_bytes(extreme(instance.space, choose), 2)


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
    (line,) = [each for each in plan_of(PrivynasEngine(), problem).checks if not each.ok]
    assert line.hopeless and line.text.startswith(
        "Memory of the device of at most 0.001\N{NO-BREAK SPACE}MB: no design needs"
    )
