"""Decisions with one change, and the change in words."""

from engines.contract.decision_columns import DecisionColumn
from engines.why.neighbours import borrowed, change_words, distinct, one_changed

DECISION_COLUMNS = (DecisionColumn("units", "Unit of each block"), DecisionColumn("clock", "Clock", "MHz"))
MINE = {"units": ["gpu", "gpu", "dla"], "clock": {"gpu": 900.0}, "windows": [1]}


def test_each_entry_is_taken_over_alone_what_many_have_first() -> None:
    others = [
        {"units": ["dla", "gpu", "dla"], "clock": {"gpu": 500.0}, "windows": [1]},
        {"units": ["gpu", "dla", "dla"], "clock": {"gpu": 500.0}, "windows": [1, 2]},
        {"units": ["gpu", "gpu", "dla"], "clock": {"gpu": 900.0}, "windows": [1]},
    ]
    found = list(borrowed(MINE, others))
    assert found[0] == {**MINE, "clock": {"gpu": 500.0}}
    assert found[1:] == [
        {**MINE, "units": ["dla", "gpu", "dla"]},
        {**MINE, "units": ["gpu", "dla", "dla"]},
        {**MINE, "windows": [1, 2]},
    ]
    assert MINE["units"] == ["gpu", "gpu", "dla"], "the decision itself is left as it is"


def test_the_same_and_what_came_before_are_left_out() -> None:
    other = one_changed(MINE, ("clock", "gpu"), 500.0)
    assert list(distinct(MINE, [dict(MINE), other, dict(other)])) == [other]


def test_a_change_is_told_by_what_the_engine_declares() -> None:
    assert (
        change_words(DECISION_COLUMNS, MINE, one_changed(MINE, ("units", 1), "dla"))
        == "Unit of each block: no. 2 gpu → dla"
    )
    assert (
        change_words(DECISION_COLUMNS, MINE, one_changed(MINE, ("clock", "gpu"), 500.0)) == "Clock: gpu: 900 → 500 MHz"
    )


def test_a_change_that_no_column_shows_is_told_by_its_place() -> None:
    assert change_words(DECISION_COLUMNS, MINE, one_changed(MINE, ("windows", 0), 2)) == "windows.0 → 2"


def test_an_entry_with_a_name_of_its_own_is_told_by_it() -> None:
    decides = (DecisionColumn("paths", "Chiplets"),)
    assert change_words(decides, {"paths": ["1 A: C0"]}, {"paths": ["1 A: C2"]}) == "Chiplets: 1 A: C0 → C2"
    words = "Chiplets: 1 A: C0 → C1 becomes C1 → C0"
    assert change_words(decides, {"paths": ["1 A: C0 → C1"]}, {"paths": ["1 A: C1 → C0"]}) == words
