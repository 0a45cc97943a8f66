"""Runs that were in flight when the release of 26 November 2026 was replaced go on, for every engine."""

from __future__ import annotations

import pytest

from engines.registry import BUILT_INS, get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.support.kept_runs import kept_run, problem_of, resume_of

SLOW = (
    "eexnas", "hadas", "magnas", "myml", "package-search", "privynas", "seesaw", "train-bottleneck", "train-exits",
    "train-supernet",
)  # fmt: skip


@pytest.mark.parametrize("name", sorted(BUILT_INS))
def test_a_kept_problem_is_read_and_is_the_same(name: str) -> None:
    kept = kept_run(name)
    problem = problem_of(kept)
    assert problem.canonical() == kept["problem"]
    assert problem.hash() == kept["hash"]


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[pytest.mark.long] if each in SLOW else []) for each in sorted(BUILT_INS)]
)
def test_a_kept_run_goes_on_to_its_end(name: str) -> None:
    kept = kept_run(name)
    problem, (resume, files) = problem_of(kept), resume_of(kept)
    driven = drive(get_engine(name), problem, LocalContext(problem, files=files), resume)
    steps = list(driven)
    assert driven.ending == "done" and steps[-1].fraction == 1.0
