"""A time limit stops a run after the step at hand, and what it found is the beginning of the run without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines import exploration
from engines.contract.designs import Designs
from engines.contract.engine import Problem, Resume, Step
from engines.contract.errors import ProblemError
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.time_limits import MAX_MINUTES, minutes_words, reached_words, read_minutes
from engines.testing.conformance import TinyProblem
from tests.engines.methods.seesaw.problems import tiny_seesaw
from tests.engines.methods.soc_mapping.problems import tiny_exact
from tests.engines.running.cases import Ticking, limited
from tests.support.toy_engine import ToyEngine


@pytest.mark.parametrize("given", [None, 1, 0.5, MAX_MINUTES])
def test_minutes_are_taken_as_they_are(given: float | None) -> None:
    assert read_minutes(given) == given


@pytest.mark.parametrize(
    "given",
    [0, -1, np.float64("nan"), np.True_, MAX_MINUTES + 1, float("nan"), float("inf"), "10", True, [10], 10**400],
)
def test_anything_else_is_refused_by_its_field(given: Any) -> None:
    with pytest.raises(ProblemError, match="a number of minutes above 0") as caught:
        read_minutes(given)
    assert caught.value.field == "stop_after_minutes"


def test_it_is_told_in_minutes() -> None:
    assert [minutes_words(m) for m in (10.0, 0.5, 20.0166, 0.001)] == ["10 min", "0.5 min", "20.02 min", "0.001 min"]
    assert reached_words(10.0) == "time limit of 10 min reached"


def designs_of(tiny: TinyProblem, steps: list[Step]) -> Designs:
    parts = [step.designs for step in steps if step.designs is not None]
    return Designs.concatenate([Designs.empty(tiny.engine.quantities), *parts])


@pytest.mark.parametrize("make", [tiny_exact, tiny_seesaw])
def test_it_is_the_beginning_of_the_run_and_goes_on_to_the_same_end(make: Any) -> None:
    tiny = make()
    whole, unbroken = limited(tiny, 1e9)
    assert unbroken.ending == "done" and not unbroken.out_of_time
    first, stopped = limited(tiny, unbroken.clock.used_s / 2)
    assert (stopped.ending, stopped.out_of_time) == ("stopped", True) and 0 < len(first) < len(whole)
    everything = designs_of(tiny, whole)
    found = designs_of(tiny, first)
    assert found.equals(everything.take(range(len(found))))
    last = max(index for index, step in enumerate(first) if step.checkpoint is not None)
    kept = designs_of(tiny, first[: last + 1])
    checkpoint = first[last].checkpoint
    assert checkpoint is not None
    rest, done = limited(tiny, 1e6, Resume(checkpoint, kept))
    assert done.ending == "done" and rest[-1].fraction == 1.0
    assert Designs.concatenate([kept, designs_of(tiny, rest)]).equals(everything)


def test_a_limit_that_ends_with_the_last_step_is_a_complete_run(toy: ToyEngine, problem: Problem) -> None:
    now = [0.0]
    driven = drive(toy, problem, LocalContext(problem), time_limit_s=5.5, now=lambda: now[0])
    for step in driven:
        now[0] += 1.0 if step.fraction < 1.0 else 0.0
    assert driven.ending == "done" and not driven.out_of_time


def test_an_engine_that_ignores_the_stop_ends_after_the_step_at_hand(toy: ToyEngine, problem: Problem) -> None:
    stubborn = Problem("toy", 1, {}, problem.params.model_copy(update={"ignore_stop": True}))
    driven = drive(toy, stubborn, LocalContext(stubborn), time_limit_s=2.0, now=Ticking())
    assert len(list(driven)) == 1
    assert (driven.ending, driven.out_of_time) == ("stopped", True)


def test_a_run_with_nothing_left_of_its_time_makes_no_step(toy: ToyEngine, problem: Problem) -> None:
    driven = drive(toy, problem, LocalContext(problem), time_limit_s=0.0)
    assert list(driven) == [] and driven.out_of_time


def test_people_who_stop_a_run_are_named_before_the_clock(toy: ToyEngine, problem: Problem) -> None:
    driven = drive(toy, problem, LocalContext(problem, stop=lambda: True), time_limit_s=1.0, now=Ticking())
    list(driven)
    assert driven.ending == "stopped" and not driven.out_of_time


def test_a_notebook_stops_after_its_minutes_and_says_so() -> None:
    steps = {"steps": 60, "step_seconds": 0.05}
    found = exploration.explore("toy", params=steps, seed=3, stop_after_minutes=0.5 / 60)
    assert (found.status, found.time_limit_reached) == ("stopped", True) and found.fraction < 1.0
    assert "stopped: time limit of" in repr(found) and found.to_dict()["time_limit_reached"] is True
    whole = exploration.explore("toy", params={"steps": 60}, seed=3, stop_after_minutes=10)
    assert (whole.status, whole.time_limit_reached, whole.stop_after_minutes) == ("done", False, 10.0)
    count = len(found.designs)
    assert np.array_equal(found.designs.columns["energy_j"], whole.designs.columns["energy_j"][:count])
    with pytest.raises(ProblemError, match="stop_after_minutes: must be a number of minutes"):
        exploration.explore("toy", stop_after_minutes=-1)
