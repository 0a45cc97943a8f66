"""The best first of schedules over all windows."""

from __future__ import annotations

from collections.abc import Generator

import msgpack
import numpy as np
import pytest

from engines.chiplets.joint.best_first import FrontSearch
from engines.chiplets.joint.journal import Journal
from engines.chiplets.joint.search import JointResult, search_in_steps
from engines.chiplets.joint.slope_pass import SlopePass
from engines.chiplets.problem.objectives import EXPRESSION_NAMES, Goal
from engines.chiplets.windows.reconfig import LayerRange
from engines.contract.numeric.expressions import parse_expression
from tests.engines.chiplets.cases import package, tables

OWN = "max(latency_s, 2 * energy_j) + sqrt(latency_s * energy_j)"


GOALS = (
    Goal("edp"),
    Goal("weighted", 2.0, 3.0),
    Goal("expression", expression=parse_expression(OWN, EXPRESSION_NAMES, "objective")),
)


Search = Generator[None, None, JointResult]


def search(journal: Journal, goal: Goal, budget: int = 10**8) -> Search:
    """Two models over three windows, in which they may start anywhere."""
    random = np.random.default_rng(7)
    models = {name: random.uniform(0.5, 9, (2, 6)).tolist() for name in "ab"}
    params = {"root_rule": "free", "node_rule": "free"}
    inputs = random.uniform(5, 200, 6)
    built = tables(models, params, on=package(2, 2, sides=("left",)), batch=3, inputs=inputs)
    windows = [[LayerRange(m, first, first + 2) for m in range(2)] for first in (0, 2, 4)]
    return search_in_steps(built, windows, goal, np.inf, budget, lambda: None, journal)


def ended(work: Search) -> tuple[JointResult, int]:
    """What a search finds, and how often it paused."""
    pauses = 0
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value, pauses
        pauses += 1


def copied(journal: Journal) -> Journal:
    """Return the journal as it comes out of a checkpoint."""
    return Journal(msgpack.unpackb(msgpack.packb(journal.entries)))


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
@pytest.mark.parametrize("budget", [10**8, 40_000])
def test_it_pauses_between_searches_of_windows_and_goes_on_from_each_pause(
    goal: Goal, budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Journal()
    unbroken, pauses = ended(search(whole, goal, budget))
    assert len(whole.entries) == pauses > 5  # a step is never more than one search of a window
    extended = 0
    for found in (FrontSearch, SlopePass):
        extend = found._extend

        def count(self: object, *arguments: object, extend=extend):  # type: ignore[no-untyped-def]
            nonlocal extended
            extended += 1
            return extend(self, *arguments)

        monkeypatch.setattr(found, "_extend", count)
    for stop in (1, pauses // 3, 2 * pauses // 3, pauses - 1):
        journal = Journal()
        work = search(journal, goal, budget)
        for _ in range(stop):
            next(work)
        assert len(journal.entries) == stop
        again = copied(journal)
        assert ended(search(again, goal, budget))[0] == unbroken
        assert again.entries == copied(whole).entries
    before = extended
    assert ended(search(copied(whole), goal, budget)) == (unbroken, pauses)
    assert extended == before  # all of it was known
