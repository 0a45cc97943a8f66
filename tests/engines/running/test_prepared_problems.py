from dataclasses import replace
from typing import Any

import pytest

from engines.contract.engine import Document, Problem
from engines.contract.errors import ProblemError
from engines.running.prepared_problems import ready_of
from tests.support.toy_engine import ToyEngine


class CountingToy(ToyEngine):
    """Counts what it prepares, and refuses the seed 13."""

    prepared: int

    def __init__(self) -> None:
        self.prepared = 0

    def prepare(self, problem: Problem[Any]) -> Any:
        self.prepared += 1
        if problem.seed == 13:
            raise ProblemError("seed", 13, "another")
        return [problem.seed]


@pytest.fixture
def engine() -> CountingToy:
    """Return an engine of a class of its own, which the cache cannot know yet."""
    return type("CountingToy", (CountingToy,), {})()  # type: ignore[no-any-return]


def test_equal_problems_are_prepared_once(engine: CountingToy, problem: Problem) -> None:
    first = ready_of(engine, problem)
    assert ready_of(engine, replace(problem)) is first
    assert ready_of(engine, replace(problem, seed=problem.seed + 1)) is not first
    assert engine.prepared == 2


def test_documents_that_list_their_keys_in_another_order_are_prepared_by_themselves(
    engine: CountingToy, problem: Problem
) -> None:
    written = [Document("hardware", "a", 1, content) for content in ({"x": 1, "y": 2}, {"y": 2, "x": 1})]
    first, second = (replace(problem, inputs={"hardware": document}) for document in written)
    assert first.hash() == second.hash()
    assert ready_of(engine, first) is not ready_of(engine, second)


def test_what_was_asked_for_long_ago_is_forgotten(engine: CountingToy, problem: Problem) -> None:
    for seed in range(100, 105):
        ready_of(engine, replace(problem, seed=seed))
    ready_of(engine, replace(problem, seed=104))
    assert engine.prepared == 5
    ready_of(engine, replace(problem, seed=100))
    assert engine.prepared == 6


def test_a_refusal_is_not_kept(engine: CountingToy, problem: Problem) -> None:
    for _ in range(2):
        with pytest.raises(ProblemError):
            ready_of(engine, replace(problem, seed=13))
    assert engine.prepared == 2
