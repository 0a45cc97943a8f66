from __future__ import annotations

import pytest

from engines.contract.quantities import Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import dominated_sentence, front_words, kept_words
from tests.frontend.designs.samples import QUANTITIES, table


def test_baselines_that_dominate_the_front_are_named(designs: RunDesigns) -> None:
    assert {name: beaten.tolist() for name, beaten in designs.dominated_by_baselines.items()} == {
        "design 4": [True] * 3
    }
    assert dominated_sentence(designs) == "3 of 3 are dominated by design 4"
    assert designs.best_baseline("edp_js") == 4 and designs.best_baseline("busy") == 4
    partly = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0, 2.0], [4.0, 3.0]))
    assert (
        partly.dominated_by_baselines == {}
        and dominated_sentence(partly) == ""
        and partly.best_baseline("edp_js") is None
    )
    partly = partly.extended(table([1.5, 1.0], [3.0, 4.0], "baseline"))
    assert dominated_sentence(partly) == "1 of 2 is dominated by design 2"


def test_designs_with_equal_objectives_are_one_point_of_the_front() -> None:
    found = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0, 2.0, 1.0, 1.0, 3.0], [4.0, 3.0, 4.0, 4.0, 5.0]))
    assert (len(found.front), found.front_points) == (4, 2)
    live = found.extended(table([2.0, 0.5], [3.0, 9.0]))
    assert (len(live.front), live.front_points) == (6, 3)
    beaten = live.extended(table([1.0], [3.5], "baseline"))
    assert dominated_sentence(beaten).startswith("1 of 3 is dominated"), "three designs, one point"
    assert RunDesigns.empty(QUANTITIES, "edp_js").front_points == 0
    three = (*QUANTITIES, Quantity("idle", "Idle", "", "minimise", "objective"))
    first = table([1.0, 1.0, 1.0], [4.0, 4.0, 4.0], idle=[0.5, 0.5, 0.5])
    more = table([1.0, 0.5], [3.0, 9.0], idle=[0.7, 0.5])
    assert RunDesigns.empty(three, "edp_js").extended(first).extended(more).front_points == 3


@pytest.mark.parametrize(
    ("points", "count", "words"),
    [
        (8, 8, "8 designs"),
        (1, 1, "1 design"),
        (1, 4, "1 point, 4 designs"),
        (104, 229_238, "104 points, 229\u2009238 designs"),
    ],
)
def test_a_front_is_told_in_points_where_designs_are_equal(points: int, count: int, words: str) -> None:
    assert front_words(points, count) == words


@pytest.mark.parametrize(
    ("kept", "evaluated", "words"),
    [
        (0, 0, ""),
        (1, 1, "The evaluated design is kept."),
        (40, 40, "All 40 evaluated designs are kept."),
        (
            15_709,
            150_000,
            "15 709 of 150 000 evaluated designs are kept: every non-dominated one and a sample of the rest.",
        ),
    ],
)
def test_it_is_said_which_designs_are_kept(kept: int, evaluated: int, words: str) -> None:
    assert kept_words(kept, evaluated).replace("\u2009", " ") == words


def test_designs_made_by_hand_are_told_beside_those_that_were_evaluated() -> None:
    assert kept_words(41, 40, 1) == "All 40 evaluated designs are kept. 1 more is made by hand."
    assert kept_words(42, 40, 2).endswith("2 more are made by hand.")
