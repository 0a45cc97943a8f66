"""Parts ask for runs: each is run once, and listing runs none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan, nan

import pytest

from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader, Outcomes, Part
from engines.reproduction.rows import PublishedRow, row
from engines.running.executor import InPlaceExecutor

RUNS: list[int] = []
TWO = PublishedRow("a-2024", 2.0, "x", "Table 1", ("t1.a",))


@dataclass(frozen=True)
class Doubled(Case[float]):
    number: int

    def run(self) -> float:
        RUNS.append(self.number)
        return 2.0 * self.number

    def blank(self) -> float:
        return nan


def rows(look: OutcomeReader) -> Iterator[Comparison]:
    for number in (1, 2, 1):
        yield row(f"Twice {number}", TWO, look(Doubled(number)), "Table 1", same_side=True, why="Because.")


@pytest.fixture(autouse=True)
def no_runs() -> None:
    RUNS.clear()


def test_listing_runs_nothing_and_keeps_what_is_said() -> None:
    found = Part("doubles", rows).listed()
    assert RUNS == [] and all(isnan(each.ours) and each.ordering is None for each in found)
    assert [each.reason for each in found] == ["Because."] * 3


def test_a_case_is_run_once_over_all_parts() -> None:
    known: Outcomes = {}
    first = Part("doubles", rows).computed(known, InPlaceExecutor())
    assert RUNS == [1, 2] and [each.ours for each in first] == [2.0, 4.0, 2.0]
    again = Part("doubles again", rows).computed(known, InPlaceExecutor())
    assert RUNS == [1, 2] and again == first
