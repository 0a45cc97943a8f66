"""How long a training is said to take, and how often it reports."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.contract.estimates import around
from engines.data.documents import builtin_data_sets
from engines.documents.problems import make_problem
from engines.methods.magnas.supernet.engine import space_of
from engines.methods.magnas.supernet.planning import work_of
from engines.registry import get_engine
from engines.running.inspection import plan as plan_of
from tests.engines.methods.magnas.trained_for_tests import pace

# Processor time of the whole run with the default parameters, on one core of a shared server (2026-11).
MEASURED_DEFAULT_S = 213.0


def test_the_estimate_of_the_default_holds_what_was_measured() -> None:
    plan = plan_of(make_problem("train-supernet", {}, {}))
    low, high = plan.time_s
    assert low < MEASURED_DEFAULT_S < high < 4 * low
    assert any("The time assumes one core that does 10 billion per second" in check.text for check in plan.checks)


# Processor time of one step, measured with the trainer itself under load; `benchmarks` of other machines will differ.
@pytest.mark.parametrize(
    ("params", "step_s"),
    [
        ({}, 0.338), ({"batch_size": 16}, 0.167), ({"batch_size": 256}, 0.731), ({"width": 32}, 0.430),
        ({"family": "small_pyramid"}, 0.651), ({"image_side": 16, "batch_size": 32}, 1.159),
    ],
)  # fmt: skip
def test_a_step_takes_about_what_was_measured(params: dict[str, Any], step_s: float) -> None:
    problem = make_problem("train-supernet", {}, params)
    space, batch = space_of(problem), problem.params.batch_size
    ends = [work_of(space, end("max-relative")).seconds(batch) for end in (space.largest, space.smallest)]
    assert (1 + problem.params.random_subnets / 2) * sum(ends) == pytest.approx(step_s, rel=0.25)


def test_more_work_takes_longer_and_is_counted() -> None:
    usual = pace()
    for params in ({"epochs": 48}, {"width": 32}, {"measured_subnets": 500}, {"random_subnets": 4}, {"image_side": 16}):
        assert pace(**params).seconds > 1.2 * usual.seconds, params
    assert pace(training_examples=100).steps < usual.steps and pace(width=32).step_macs > 3 * usual.step_macs
    assert pace(held_out_examples=8).seconds < usual.seconds


def test_a_batch_holds_at_most_the_examples_of_the_training() -> None:
    fitting = make_problem("train-supernet", {}, {"training_examples": 100, "batch_size": 100})
    assert plan_of(fitting).evaluations
    with pytest.raises(ProblemError, match="at most 100, the number of examples"):
        plan_of(make_problem("train-supernet", {}, {"training_examples": 100, "batch_size": 101}))


def test_signals_are_no_images_to_train_on() -> None:
    load = get_engine("train-supernet").inputs["data"].load
    content = {**builtin_data_sets()["digits"], "height": 100}
    assert load({**content, "width": 2}).width == 2
    with pytest.raises(ProblemError, match="more than one column"):
        load({**content, "width": 1})


def test_the_plan_says_what_is_trained_and_measured() -> None:
    plan = plan_of(make_problem("train-supernet", {}, {"measured_subnets": 10}))
    assert plan.evaluations == 10 + 2 * 4  # the largest and the smallest of four operators
    usual = pace(measured_subnets=10)
    assert plan.time_s == pytest.approx(around(usual.seconds))
    assert plan.needs == {"torch"} and all(check.ok for check in plan.checks)
    said = " ".join(check.text for check in plan.checks)
    assert "Graphs of 16, 16, 16, 16 nodes" in said  # 8 x 8 pixels, halved once
    assert "384 steps of 136 million" in said and usual.steps == 384 and round(usual.step_macs / 1e6) == 136
    assert "10 billion per second" in said and "3 ms per block" in said
    fast = plan_of(make_problem("train-supernet", {}, {"measured_subnets": 10, "use_gpu": True}))
    assert fast.needs == {"torch", "gpu"} and fast.time_s[0] == pytest.approx(0.05 * usual.seconds)
