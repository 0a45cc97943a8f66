from __future__ import annotations

import pytest

from engines.methods.scar.reproduction.rows import percent_less
from engines.reproduction.rows import PublishedRow
from tests.engines.methods.scar.reproduction.cases import rows_of


def test_per_cent_less() -> None:
    assert percent_less({"energy_j": 3.0}, {"energy_j": 4.0}, "energy_j") == 25.0  # 1 J of 4 J


@pytest.mark.parametrize(
    ("published", "unit", "value", "same"),
    [
        (2.0, "x", 1.2, True), (2.0, "x", 0.9, False), (0.5, "x", 0.9, True), (2.0, "x", 1.004, False),
        (1.003, "x", 0.996, True), (30.0, "%", 2.0, True), (30.0, "%", -2.0, False),
        (30.0, "%", 0.5, True), (30.0, "%", 0.0, False), (30.0, "%", float("nan"), None),
    ],
)  # fmt: skip
def test_sides(published: float, unit: str, value: float, same: bool | None) -> None:
    row = rows_of([]).sided("n", PublishedRow("a-2024", published, unit, "Table 1", ()), value, "g")
    assert row.ordering is same
