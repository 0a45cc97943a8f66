from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.errors import ProblemError
from engines.contract.quantities import Quantity
from engines.contract.stored_decisions import StoredDecisions
from engines.exchange.bundle_figures import SAMPLED_DESIGNS, CheckSample, check_figures, check_metrics, pick
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.engines.tiny import tiny_problem

QUANTITIES = (
    Quantity("latency_s", "Latency", "s", "minimise", "objective"),
    Quantity("accuracy", "Accuracy", "", "maximise", "objective"),
    Quantity("room", "Room", "", "none", "constraint"),
)


def columns(count: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    return {"latency_s": 1 + random.random(count), "accuracy": random.random(count), "room": np.ones(count)}


def picked_of(scalars: dict[str, np.ndarray], origin: list[str], seed: int) -> CheckSample:
    count = len(origin)
    designs = Designs(scalars, StoredDecisions(count), np.zeros(count), origin)
    return pick(QUANTITIES, designs, np.arange(count) // 100, seed)


def test_one_design_that_nobody_could_have_made_is_picked_wherever_it_stands() -> None:
    for place in (0, 123, 3999):
        scalars = columns(4000)
        scalars["latency_s"][place] = 1e-12
        assert place in picked_of(scalars, ["search"] * 4000, seed=5).front


def test_baselines_are_picked_and_take_no_place_on_the_front() -> None:
    scalars = columns(50)
    scalars["latency_s"][7], scalars["accuracy"][7] = 1e-12, 1.0
    assert picked_of(scalars, ["search"] * 50, seed=5).front.tolist() == [7]
    origin = ["baseline" if number == 7 else "search" for number in range(50)]
    assert 7 in (front := picked_of(scalars, origin, seed=5).front) and len(front) > 1
    scalars["room"][7] = -1
    assert 7 not in picked_of(scalars, ["search"] * 50, seed=5).front


def test_the_sample_is_of_the_others_and_nobody_knows_it_beforehand() -> None:
    scalars, origin = columns(4000), ["search"] * 4000
    first, again, other = (picked_of(scalars, origin, seed) for seed in (1, 1, 2))
    assert len(set(first.sample.tolist())) == SAMPLED_DESIGNS and not set(first.sample) & set(first.front)
    assert first.sample.tolist() == again.sample.tolist() and set(first.sample) != set(other.sample)
    assert sorted(first.front) == sorted(other.front) and first.front.tolist() != other.front.tolist()
    parts = (first.sample // 100).tolist()
    assert len([1 for a, b in pairwise(parts) if a != b]) == len(set(parts)) - 1  # each is read once


def test_metrics_that_are_better_than_every_design_are_refused() -> None:
    scalars = {"latency_s": np.array([2.0, 3.0]), "accuracy": np.array([0.5, np.nan]), "room": np.zeros(2)}
    fine = {"latency_s": 2.0, "accuracy": None, "evaluations": 9}
    check_metrics(QUANTITIES, scalars, [("run", fine), ("steps", {"latency_s": 2.5, "room": 7.0})])
    for wrong in ({"latency_s": 1.99}, {"accuracy": 0.51}):
        with pytest.raises(ProblemError, match=f"steps.metrics.{next(iter(wrong))}"):
            check_metrics(QUANTITIES, scalars, [("run", fine), ("steps", wrong)])


@pytest.fixture(scope="module")
def toy() -> tuple[Any, Designs]:
    tiny = tiny_problem("toy")
    steps = [step.designs for step in drive(tiny.engine, tiny.problem, LocalContext(tiny.problem)) if step.designs]
    return tiny.problem, Designs.concatenate(steps)


def test_it_says_how_many_were_computed_again(toy: tuple[Any, Designs]) -> None:
    problem, designs = toy
    picked = CheckSample(np.arange(6), np.arange(6, 20))
    facts = {"count": len(designs), "seed": 3}
    whole = check_figures(problem, picked, designs.take, within_s=60, **facts)
    assert (whole.front_checked, whole.sample_checked, whole.reason) == (6, 14, "")
    none = check_figures(problem, picked, designs.take, within_s=0, **facts)
    assert (none.front_checked, none.sample_checked) == (0, 0) and "0 s" in none.reason


def test_a_decision_that_comes_often_is_computed_once_and_every_figure_compared(toy: tuple[Any, Designs]) -> None:
    problem, designs = toy
    same = designs.take([4] * 300)
    facts = {"count": 300, "seed": 3, "within_s": 60.0}
    assert check_figures(problem, CheckSample(np.arange(300), np.arange(0)), same.take, **facts).front_checked == 300
    same.columns["latency_s"][250] /= 2
    with pytest.raises(ProblemError, match="latency_s"):
        check_figures(problem, CheckSample(np.arange(300), np.arange(0)), same.take, **facts)
