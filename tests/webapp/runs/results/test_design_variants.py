from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.design_variants import Population, try_changes, try_on


def few() -> Population:
    return Population([3, 1], [0, 1, 2, 3])


def test_changes_of_a_stored_design_come_with_its_own_figures(run: Run) -> None:
    found = try_changes(run, 3, 0, 5.0, few)
    stored = readers.load_designs(run).columns
    assert found.base["energy_j"] == stored["energy_j"][3]
    assert found.next == found.total == len(found.tried) > 0 and not found.own
    assert all(change.words and not change.refused for change in found.tried)


def test_designs_are_tried_by_their_numbers_and_on_the_stored_hardware_give_what_is_stored(run: Run) -> None:
    stored = readers.load_designs(run).columns
    found = try_on(run, {}, 2, True, few)
    assert found.design["latency_s"] == stored["latency_s"][2] and found.why_not == ""
    assert list(found.numbers) == [3, 1]
    assert found.front["energy_j"] == stored["energy_j"][[3, 1]].tolist()


def test_the_population_is_asked_for_once_per_talk(run: Run) -> None:
    asked: list[Any] = []

    def counted() -> Population:
        asked.append(1)
        return few()

    for _ in range(3):
        try_on(run, {}, 2, False, counted)
    assert len(asked) <= 1


def test_a_design_that_is_not_there_and_hardware_that_the_engine_refuses_are_told(run: Run) -> None:
    with pytest.raises(LookupError):
        try_changes(run, 10_000, 0, 1.0, few)
    with pytest.raises(ProblemError, match="slot: must be one of the inputs"):
        try_on(run, {"hardware": {"clock_mhz": 1.0}}, 2, False, few)
