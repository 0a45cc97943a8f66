from __future__ import annotations

from engines.contract.decision_columns import TableColumn
from engines.search.decision_features import features_of

UNITS = TableColumn("units", "Units", "sequence")


def test_a_sequence_of_one_length_is_told_place_by_place() -> None:
    features = features_of(UNITS, [("gpu", "dla"), ("dla", "dla")])
    assert [(each.title, each.values) for each in features] == [
        ("Units: 1", ("gpu", "dla")),
        ("Units: 2", ("dla", "dla")),
    ]
    assert features[0].numbers().tolist() == [0.0, 1.0]


def test_entries_with_names_are_told_by_them() -> None:
    paths = TableColumn("paths", "Chiplets", "sequence")
    features = features_of(paths, [("W1 A: C0 → C3", "W1 B: C2"), ("W1 A: C1",)])
    assert [(each.title, each.values) for each in features] == [
        ("Chiplets: W1 A", ("C0 → C3", "C1")),
        ("Chiplets: W1 B", ("C2", None)),
    ]
    assert features_of(paths, [("W1 A: C0", "W1 A: C1")])[0].title == "Chiplets: 1", "two of one name have none"


def test_one_of_several_lengths_by_what_it_holds() -> None:
    features = {each.title: each.values for each in features_of(UNITS, [("gpu", "gpu"), ("dla",), None])}
    assert features == {
        "Units: how many": (2.0, 1.0, 0.0),
        "Units: how many gpu": (2.0, 0.0, 0.0),
        "Units: how many dla": (0.0, 1.0, 0.0),
    }


def test_numbers_stay_and_what_is_not_decided_is_apart() -> None:
    (feature,) = features_of(TableColumn("clock", "Clock", "number", "MHz"), [500.0, None, "off"])
    assert feature.numbers().tolist() == [500.0, -1.0, 0.0]
