from __future__ import annotations

import math

import pytest

from engines.contract.quantities import Quantity
from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.why.changes import (
    begun,
    best_of,
    best_words,
    helps,
    ranked_quantities,
    signed_percent,
    tally_words,
    with_more,
)
from webapp.runs.models import Run
from webapp.runs.results.design_variants import Change, Changes

LATENCY = Quantity("latency_s", "Latency", "s", "minimise", "objective")
SPEED = Quantity("speed", "Speed", "", "maximise", "objective")
ROOM = Quantity("room", "Room", "", "none", "constraint")
BASE = {"latency_s": 2.0, "speed": 10.0, "room": 1.0}


def piece(*tried: Change, begin: int = 0) -> Changes:
    return Changes(False, 9, begin + len(tried), BASE, tried)


def change(words: str, latency_s: float, speed: float = 10.0, room: float = 1.0) -> Change:
    return Change(words, {"latency_s": latency_s, "speed": speed, "room": room}, "")


def tally(*tried: Change) -> dict[str, object]:
    return with_more(begun(3, 1), piece(*tried), [LATENCY, SPEED], [ROOM])


def plain(words: str) -> str:
    return words.replace("\u00a0", " ")


def test_changes_are_ranked_by_the_figure_and_its_better_side() -> None:
    found = tally(change("slower", 2.5), change("faster", 1.5, 8.0), change("same", 2.0))["rows"]
    assert [row["words"] for row in best_of(found, LATENCY)] == ["faster", "slower"]  # type: ignore[arg-type]
    first = best_of(found, LATENCY)[0]  # type: ignore[arg-type]
    assert first["change"] == {"latency_s": pytest.approx(-0.25), "speed": pytest.approx(-0.2)}
    assert helps(first, LATENCY) and not helps(first, SPEED)


def test_what_breaks_a_limit_comes_last_and_helps_nothing() -> None:
    rows = tally(change("broken", 1.0, room=-0.5), change("kept", 1.9), change("undefined", 1.0, room=math.nan))["rows"]
    best = best_of(rows, LATENCY)  # type: ignore[arg-type]
    assert [(row["words"], row["broken"]) for row in best] == [("kept", ""), ("broken", "Room"), ("undefined", "Room")]
    assert [helps(row, LATENCY) for row in best] == [True, False, False]


def test_pieces_add_up_and_what_is_refused_is_counted() -> None:
    first = with_more(begun(3, 1), piece(change("one", 1.5), Change("two", {}, "no such unit")), [LATENCY], [])
    both = with_more(first, piece(change("three", 1.0), begin=2), [LATENCY], [])
    assert (both["next"], both["total"], both["refused"]) == (3, 9, 1)
    words = "3 of 9 tried, one change each: entries from other designs of this run."
    assert plain(tally_words(both)) == f"{words} 1 does not describe a design of this problem; the first: no such unit."


def test_the_sentence_names_the_best_and_what_it_costs_or_that_there_is_none() -> None:
    both = [LATENCY, SPEED]
    words = "Best for latency: faster (−25.0 %); speed −20.0 %."
    assert plain(best_words(tally(change("faster", 1.5, 8.0)), LATENCY, both)) == words
    assert (
        best_words(tally(change("slower", 2.5)), LATENCY, both)
        == "No single change that was tried makes latency better."
    )
    assert "knows none" in best_words(begun(3, 1), LATENCY, both)
    assert "It says: no such unit" in best_words(tally(Change("two", {}, "no such unit")), LATENCY, both)


@pytest.mark.parametrize(
    ("share", "words"), [(0.0123, "+1.2 %"), (-0.0000056, "−0.00056 %"), (0.0, "0.0 %"), (None, "–")]
)
def test_a_change_is_told_with_its_sign(share: float | None, words: str) -> None:
    assert plain(signed_percent(share)) == words


def test_the_figure_that_best_is_told_by_comes_first(run: Run) -> None:
    designs = designs_of(run)
    assert ranked_quantities(designs)[0].name == designs.primary
