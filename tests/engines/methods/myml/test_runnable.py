"""Pruned networks that machines run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engines.methods.myml.choices import choice_of, original, published
from engines.methods.myml.instance import instance_of
from engines.methods.myml.runnable import runnable_network
from engines.methods.myml.stages import expected_kept
from tests.engines.methods.myml.problems import myml_problem
from tests.engines.runnable_designs import asked, executed

HALF = published("accelerator", (50.0, 50.0, 50.0, 50.0)).decision


def weights(told: dict[str, Any]) -> int:
    return sum(elements for elements, _, _ in told["about"]["weights"])


def test_what_pruning_leaves_is_what_runs(tmp_path: Path) -> None:
    problem = myml_problem()
    found = asked(problem, original("cpu").decision, HALF)
    whole, half = (found["files"][design["pieces"][0]["file"]] for design in found["designs"])
    assert [executed(told, tmp_path / str(number)) for number, told in enumerate((whole, half))] == [1, 1]
    assert weights(half) < 0.4 * weights(whole)
    instance = instance_of(problem)
    choice = choice_of(HALF, instance.layers)
    *convolutions, last = expected_kept(instance.layers, choice)
    biases = sum(each.filters for each in convolutions)
    classes = len(instance.user.classes)  # the outputs of a network for one user
    assert weights(half) == sum(each.weights for each in convolutions) + biases + classes * (last.channels + 1)
    sizes = [each.k for each in runnable_network(instance, choice).pieces[0].operations if each.kind == "conv"]
    assert sizes == [each.filters for each in convolutions]


def test_asymmetric_pruning_runs_as_the_whole_network() -> None:
    other = {**HALF, "granularity": "asymmetric"}
    found = asked(myml_problem(), original("cpu").decision, {**other, "order": "user-agnostic"})
    assert len(found["files"]) == 1, "a runtime computes zeros"


@pytest.mark.parametrize("order", ["bottom-up", "at-once"])
def test_how_it_was_trained_changes_nothing(order: str) -> None:
    assert len(asked(myml_problem(), HALF, {**HALF, "order": order, "batch": 4})["files"]) == 1
