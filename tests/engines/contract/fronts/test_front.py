"""The rule of fronts and best designs, over a few designs of every kind."""

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.fronts.front import best_among, front_among, knee_among
from engines.contract.quantities import Quantity

LATENCY = Quantity("latency_s", "Latency", "s", "minimise", "objective")
ACCURACY = Quantity("accuracy", "Accuracy", "", "maximise", "objective")
ROOM = Quantity("room", "Room", "", "none", "constraint")
QUANTITIES = (LATENCY, ACCURACY, ROOM)
DESIGNS = Designs(
    {
        "latency_s": [3.0, 2.0, 2.0, 1.0, 0.5, 0.4, 0.3, np.nan],
        "accuracy": [0.9, 0.5, 0.5, 0.4, 0.9, 0.9, 0.9, 0.99],
        "room": [0.0, 1.0, 1.0, 0.1, -0.1, 1.0, 1.0, 1.0],
    },
    [{"number": number} for number in range(8)],
    np.arange(8),
    ["search"] * 5 + ["baseline", "user", "search"],
)


def test_what_the_search_found_within_the_constraints_counts() -> None:
    assert np.flatnonzero(DESIGNS.counted(QUANTITIES)).tolist() == [0, 1, 2, 3, 7]
    assert np.flatnonzero(~DESIGNS.feasible(QUANTITIES)).tolist() == [4]


def test_the_front_holds_all_of_equal_designs_and_none_without_a_value() -> None:
    assert DESIGNS.front(QUANTITIES).tolist() == [0, 1, 2, 3]
    assert DESIGNS.front((LATENCY, ROOM)).tolist() == [3]
    assert DESIGNS.front((ROOM,)).tolist() == []
    assert Designs.empty(QUANTITIES).front(QUANTITIES).tolist() == []


def test_baselines_and_a_users_own_take_part_where_that_is_asked_for() -> None:
    assert DESIGNS.front(QUANTITIES, ("search", "baseline")).tolist() == [5]
    assert DESIGNS.front(QUANTITIES, ("search", "user")).tolist() == [6]
    assert DESIGNS.best(LATENCY, QUANTITIES, ("baseline",)) == 5


def test_the_best_is_the_first_of_equals() -> None:
    assert DESIGNS.best(LATENCY, QUANTITIES) == 3
    assert DESIGNS.best(ACCURACY, QUANTITIES) == 7
    assert DESIGNS.take([1, 2]).best(ACCURACY, QUANTITIES) == 0
    assert DESIGNS.take([4]).best(LATENCY, QUANTITIES) is None


def test_room_that_is_not_defined_is_not_met() -> None:
    designs = Designs({"latency_s": [1.0], "accuracy": [1.0], "room": [np.nan]}, [{}], [1], ["search"])
    assert not designs.feasible(QUANTITIES).any() and designs.front(QUANTITIES).tolist() == []


@pytest.mark.parametrize("cut", [0, 3, 8])
def test_a_front_that_grows_is_that_of_all(cut: int) -> None:
    objectives = (LATENCY, ACCURACY)
    first = front_among(DESIGNS.columns, objectives, np.arange(cut))
    both = np.concatenate([first, np.arange(cut, 8)])
    assert front_among(DESIGNS.columns, objectives, both).tolist() == [6]


def test_an_objective_that_no_stored_design_has_does_not_empty_the_front() -> None:
    columns = {**DESIGNS.columns, "later": np.full(8, np.nan)}
    later = Quantity("later", "Later", "", "maximise", "objective")
    assert front_among(columns, (LATENCY, ACCURACY, later), np.arange(8)).tolist() == [6]
    assert not len(front_among(columns, (later,), np.arange(8)))


def test_there_is_no_best_of_none() -> None:
    assert best_among(np.array([1.0]), "minimise", np.empty(0, np.int64)) is None


def test_the_knee_is_where_the_front_bends_and_hardly_different_values_decide_nothing() -> None:
    energy = Quantity("energy_j", "Energy", "J", "minimise", "objective")
    columns = {"latency_s": np.array([0.0, 9.0, 1.0, 10.0]), "energy_j": np.array([10.0, 9.0, 2.0, 0.0])}
    assert knee_among(columns, (LATENCY, energy), np.array([0, 2, 3])) == 2
    assert knee_among(columns, (LATENCY,), np.array([0, 2, 3])) is None
    columns["energy_j"] = np.array([4.235, 4.2349, 4.2348, 4.2346])
    assert knee_among(columns, (LATENCY, energy), np.array([0, 2, 3])) == 0
