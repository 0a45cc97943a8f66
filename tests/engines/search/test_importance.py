"""Importance of decisions: what a figure is made of comes first, and a model that tells nothing says so."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.decision_columns import TableColumn
from engines.search.importance import importance_of

COUNT = 200
COLUMNS = (
    TableColumn("clock", "Clock", "number"),
    TableColumn("units", "Units", "sequence"),
    TableColumn("colour", "Colour", "category"),
    TableColumn("same", "Same", "category", varies=False),
)


@pytest.fixture(scope="module")
def cells() -> list[list[object]]:
    random = np.random.default_rng(1)
    units = [tuple(random.choice(["gpu", "dla"], 3).tolist()) for _ in range(COUNT)]
    return [random.uniform(1, 2, COUNT).tolist(), units, random.choice(["red", "blue"], COUNT).tolist(), ["x"] * COUNT]


def test_what_the_figure_is_made_of_comes_first(cells: list[list[object]]) -> None:
    values = np.array([10.0 * clock + (units[1] == "gpu") for clock, units in zip(cells[0], cells[1], strict=True)])
    found = importance_of(COLUMNS, cells, values)
    assert found.titles[0] == "Clock"
    assert found.titles[1:3] in {("Units", "Units: 2"), ("Units: 2", "Units")}
    assert set(found.titles[3:]) == {"Units: 1", "Units: 3", "Colour"}  # what is the same in all is left out
    assert found.explained > 0.9
    assert abs(found.fall[3:]).max() < 0.02
    assert found.designs == COUNT


def test_a_figure_of_chance_is_not_explained(cells: list[list[object]]) -> None:
    assert importance_of(COLUMNS, cells, np.random.default_rng(2).normal(size=COUNT)).explained < 0.2


def test_sequences_of_several_lengths_count_what_they_hold() -> None:
    random = np.random.default_rng(3)
    parts = [("gpu",) * int(random.integers(0, 4)) + ("dla",) * int(random.integers(0, 4)) for _ in range(COUNT)]
    values = np.array([float(part.count("gpu")) for part in parts])
    found = importance_of(COLUMNS[1:2], [parts], values)
    assert set(found.titles[:2]) == {"Units", "Units: how many gpu"}
    assert found.explained > 0.9
