"""The one selection of the run page."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.quantities import Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.selection import follow_best, on_key, picked

QUANTITIES = (Quantity("a", "A", "s", "minimise", "objective"), Quantity("b", "B", "J", "minimise", "objective"))
# Front by a: 4, 2, 0; designs 1 and 3 are dominated.
DESIGNS = RunDesigns(
    QUANTITIES,
    "b",
    {"a": np.array([5.0, 4.0, 3.0, 2.5, 1.0]), "b": np.array([1.0, 9.0, 2.0, 8.0, 3.0])},
    np.arange(5),
    np.array(["search"] * 5),
    np.array([""] * 5),
)
NOW = {"design": 2, "window": 1, "follow": False}


@pytest.mark.parametrize(
    ("design", "key", "result"),
    [(2, "next", 0), (2, "back", 4), (0, "next", 0), (4, "back", 4), (1, "next", 0), (1, "back", 2), (None, "next", 4)],
)
def test_arrows_step_along_the_front_and_stop_at_its_ends(design: int | None, key: str, result: int) -> None:
    assert on_key(DESIGNS, {**NOW, "design": design}, {"what": key})["design"] == result


def test_shift_steps_far() -> None:
    assert on_key(DESIGNS, {**NOW, "design": 4}, {"what": "next", "far": True})["design"] == 0


def test_windows_never_go_below_the_first() -> None:
    assert on_key(DESIGNS, NOW, {"what": "window-next"})["window"] == 2
    assert on_key(DESIGNS, {**NOW, "window": 0}, {"what": "window-back"})["window"] == 0


def test_escape_goes_back_to_the_best() -> None:
    assert on_key(DESIGNS, NOW, {"what": "clear"}) == {"design": DESIGNS.knee, "window": 0, "follow": True}


def test_a_pick_ends_following_and_following_takes_the_best() -> None:
    chosen = picked({"number": 3}, {**NOW, "follow": True})
    assert chosen == {"design": 3, "window": 1, "follow": False}
    assert follow_best(DESIGNS, chosen) == chosen
    assert follow_best(DESIGNS, {**NOW, "follow": True})["design"] == DESIGNS.knee
    assert follow_best(DESIGNS, {**NOW, "design": 99})["design"] == DESIGNS.knee


def test_nothing_to_step_along_changes_nothing() -> None:
    empty = RunDesigns.empty(QUANTITIES, "b")
    assert on_key(empty, {**NOW, "design": None}, {"what": "next"}) == {**NOW, "design": None}
